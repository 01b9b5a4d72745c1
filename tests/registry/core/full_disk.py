"""A site on a disk that fills up, as JSON: what is answered before, while it is full, and after.

``unshare --user --map-root-user --mount python -m tests.registry.core.full_disk FOLDER``: the folder gets a small disk
of its own, which nobody outside of this process and its children sees.
"""

import json
import re
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.registry.core.lab import Lab

_DISK_BYTES = 80_000_000
TOKEN = """
from registry.accounts.models import User
from registry.accounts.services import create_token
person = User.objects.create_user("program")
print(create_token(user=person, name="full", scopes=["read", "submit"], days=1).secret)
"""
RESULT = {"collection": "trec-2004-robust", "measure": "AP", "value": "0.3012", "role": "proposed"}


def main(folder: Path) -> None:
    """Print the answers of the three times."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES}", "tmpfs", str(folder)], check=True)
    lab = Lab(folder / "home")
    try:
        lab.run("manage.py", "load_catalog", "data", "-v0")
        token = lab.run("manage.py", "shell", "-v0", "-c", TOKEN).strip()
        port = lab.start_web()
        answers = {"before": _answers(port, token, "first")}
        ballast = folder / "ballast"
        _fill(ballast)
        answers["full"] = _answers(port, token, "second")
        ballast.unlink()
        answers["after"] = _answers(port, token, "second")
        print(json.dumps(answers))
    finally:
        lab.close()


def _fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file:
        for size in (1_000_000, 4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


def _answers(port: int, token: str, system: str) -> dict[str, Any]:
    page, content = ask(port, "GET", "/accounts/login/")
    (form_token,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', content)
    form = {"csrfmiddlewaretoken": form_token, "login": "nobody@example.org", "password": "wrong"}
    cookie = {"Cookie": page["Set-Cookie"].partition(";")[0], "Content-Type": "application/x-www-form-urlencoded"}
    program = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    results = json.dumps({"results": [RESULT | {"system": system}]})
    health = ask(port, "GET", "/-/health/")
    return {
        "pages": [ask(port, "GET", path)[0]["status"] for path in ("/", "/collections/", "/api/v1/collections/")],
        "health": health[0] | {"body": json.loads(health[1])},
        "form": _told(*ask(port, "POST", "/accounts/login/", urlencode(form), cookie)),
        "program": _told(*ask(port, "POST", "/api/v1/submissions/", results, program)),
    }


def _told(head: dict[str, Any], content: str) -> dict[str, Any]:
    return head | {"content": content}


def ask(
    port: int, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
) -> tuple[dict[str, Any], str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    content = answer.read().decode()
    connection.close()
    return dict(answer.getheaders()) | {
        "Set-Cookie": answer.headers.get("Set-Cookie", ""),
        "status": answer.status,
    }, content


if __name__ == "__main__":
    main(Path(sys.argv[1]))
