"""The files of a git repository at one of its commits, read by git itself."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType


class NoCheckout(Exception):
    """The folder is no git repository, or has not the commit that is asked for; the message says what to do."""


class Checkout:
    """A git repository, with or without a work tree; inside ``with``, its files can be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def commit(self, name: str) -> str:
        """Return the whole id of a commit, given by its id, a branch or a tag.

        Raises
        ------
        NoCheckout
            If there is none.
        """
        answer = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        if answer.returncode:
            raise NoCheckout(self._why(name, answer.stderr))
        return answer.stdout.strip()

    def newest(self, commits: list[str]) -> str:
        """Return the newest of these commits; none of its ancestors is newer, whatever the clocks said."""
        return self._git("rev-list", "--topo-order", "--max-count=1", *commits).stdout.strip()

    def files(self, commit: str) -> dict[str, str]:
        """Return the paths of all files at a commit, each with the id of its content."""
        listed = self._git("ls-tree", "-r", "-z", "--full-tree", commit).stdout.split("\0")
        entries = (line.partition("\t") for line in listed if line)
        return {path: head.split()[2] for head, _, path in entries if head.split()[1] == "blob"}

    def __enter__(self) -> "Checkout":
        command = ["git", "-C", str(self.folder), "cat-file", "--batch"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def read(self, commit: str, path: str) -> str | None:
        """Return the text of a file at a commit; None where there is none, or its content is not in the repository."""
        requests, replies = self._process.stdin, self._process.stdout
        if requests is None or replies is None:
            raise NoCheckout(f"{self.folder} cannot be read")
        requests.write(f"{commit}:{path}\n".encode())
        requests.flush()
        head = replies.readline().split()
        if not head:
            raise NoCheckout(f"{self.folder} is no git repository")
        if not head[-1].isdigit():
            return None
        content = replies.read(int(head[-1]))
        replies.read(1)
        return content.decode("utf-8") if head[1] == b"blob" else None

    def texts(self, commit: str, paths: list[str]) -> Iterator[tuple[str, str]]:
        """Yield these files of a commit with their texts, without those whose content is absent."""
        for path in paths:
            text = self.read(commit, path)
            if text is not None:
                yield path, text

    def _git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["git", "-C", str(self.folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def _why(self, name: str, text: str) -> str:
        if self._git("rev-parse", "--git-dir").returncode:
            return f"{self.folder} is no git repository: clone the one that the results come from, with its history"
        return (
            f"{self.folder} has no commit {name}: fetch its whole history (git fetch --unshallow), because rows are "
            f"compared with the state that they were read from{': ' + text.strip() if text.strip() else ''}"
        )
