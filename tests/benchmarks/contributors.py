"""Ten people at once with long tables: by the form, which makes a draft of them, and by dry runs of the API."""

import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from tests.benchmarks.server import ROOT

N_CLIENTS = 10
N_ROWS = 10_000
#: As the page's script asks, and as ``Retry-After`` tells programs.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.3, 2.0

_CSRF = "0123456789abcdef0123456789abcdef"
_BOUNDARY = "----FormBoundary0123456789"
#: Stands in a table for what makes it another one.
_UNIQUE = "@@@@@@@@"

_MAKE_PEOPLE = """
import json, sys
from django.contrib.auth import get_user_model
from django.test import Client
from registry.accounts.services import create_token
people = []
for number in range({n}):
    person = get_user_model().objects.create_user(f"client-{{number}}")
    browser = Client()
    browser.force_login(person)
    token = create_token(user=person, name="bench", scopes=["read", "submit"], days=1).secret
    people.append((browser.cookies["sessionid"].value, token))
print(json.dumps(people))
"""


@dataclass(frozen=True)
class Person:
    """Somebody with an account, in a browser and by a program."""

    session: str
    token: str


def make_people(environment: Mapping[str, str]) -> list[Person]:
    """Ten accounts of a site."""
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", _MAKE_PEOPLE.format(n=N_CLIENTS)]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return [Person(*one) for one in json.loads(done.stdout)]


@contextmanager
def checking(port: int, people: list[Person]) -> Iterator[list[float]]:
    """While they have tables checked, in a process of their own: the seconds that each took, known at the end."""
    command = [sys.executable, "-m", "tests.benchmarks.contributors", str(port)]
    clients = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    taken: list[float] = []
    assert clients.stdin
    assert clients.stdout
    clients.stdin.write(json.dumps([[one.session, one.token] for one in people]) + "\n")
    clients.stdin.flush()
    # They have their tables ready.
    clients.stdout.readline()
    try:
        yield taken
    finally:
        output, _ = clients.communicate("stop\n", timeout=300)
        if clients.returncode:
            raise RuntimeError("a client failed")
        taken += json.loads(output)


class Client:
    """One person, who asks for the answer as a browser or a program would."""

    def __init__(self, port: int, person: Person, stop: threading.Event) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        self._stop = stop
        self._person = person
        self._api = {"Authorization": f"Bearer {person.token}"}
        self._browser = {"Cookie": f"sessionid={person.session}; csrftoken={_CSRF}"}
        lines = [f"trec-2004-robust,AP,{_UNIQUE} {n},0.{2000 + n % 1500},proposed,Paper {n}" for n in range(N_ROWS)]
        table = "\n".join(["collection,measure,system,value,role,paper", *lines]) + "\n"
        fields = {"csrfmiddlewaretoken": _CSRF, "text": table, "role": "", "step": "check"}
        parts = [
            f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{fields[name]}\r\n'
            for name in fields
        ]
        self._form = "".join([*parts, f"--{_BOUNDARY}--\r\n"])
        header, *cells = (line.split(",") for line in table.splitlines())
        self._json = json.dumps({"results": [dict(zip(header, row, strict=True)) for row in cells]})

    def work(self, taken: list[float]) -> None:
        """One table after the other, by the API and by the form in turns."""
        ways = [self._dry_run, self._draft]
        number = 0
        while not self._stop.is_set():
            began = time.perf_counter()
            if ways[number % 2](f"t{number:07}"):
                taken.append(time.perf_counter() - began)
            number += 1
        self._connection.close()

    def _dry_run(self, name: str) -> bool:
        """Whether it was answered before the end."""
        headers = self._api | {"Content-Type": "application/json"}
        body = self._json.replace(_UNIQUE, name)
        status, location, content = self._ask("POST", "/api/v1/submissions/?dry_run=true", headers, body)
        while status == 202:
            if self._stop.wait(_LONGEST_PAUSE):
                return False
            status, _, content = self._ask("GET", location, self._api)
        _require(status == 200 and json.loads(content)["counts"]["new"] == N_ROWS, status, content)
        return True

    def _draft(self, name: str) -> bool:
        """Whether all was checked before the end."""
        headers = self._browser | {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
        status, location, content = self._ask("POST", "/submit/table/", headers, self._form.replace(_UNIQUE, name))
        _require(status == 302, status, content)
        if location.startswith("/errands/"):
            if not self._wait(location):
                return False
            status, location, content = self._ask("GET", location, self._browser)
            _require(status == 302, status, content)
        if not self._wait(location):
            return False
        status, _, content = self._ask("GET", location, self._browser)
        _require(status == 200 and "Rows 1 to 100 of 10\u202f000".encode() in content, status, content)
        return True

    def _wait(self, address: str) -> bool:
        self._ask("GET", address, self._browser)
        pause = _FIRST_PAUSE
        while not self._stop.wait(pause):
            status, _, content = self._ask("GET", f"{address}progress.json", self._browser)
            _require(status == 200, status, content)
            if json.loads(content)["done"]:
                return True
            pause = min(2 * pause, _LONGEST_PAUSE)
        return False

    def _ask(self, method: str, path: str, headers: Mapping[str, str], body: str = "") -> tuple[int, str, bytes]:
        self._connection.request(method, path, body or None, dict(headers))
        answer = self._connection.getresponse()
        content = answer.read()
        return answer.status, answer.getheader("Location", ""), content


def _require(holds: bool, status: int, content: bytes) -> None:
    if not holds:
        raise RuntimeError(f"answered {status}: {content[:2000]!r}")


def main(port: int) -> None:
    people = [Person(*one) for one in json.loads(sys.stdin.readline())]
    stop = threading.Event()
    taken: list[float] = []
    failures: list[threading.ExceptHookArgs] = []
    threading.excepthook = lambda failure: failures.append(failure) or threading.__excepthook__(failure)  # type: ignore[func-returns-value]
    threads = [threading.Thread(target=Client(port, one, stop).work, args=(taken,)) for one in people]
    print("ready", flush=True)
    for thread in threads:
        thread.start()
    sys.stdin.readline()
    stop.set()
    for thread in threads:
        thread.join()
    print(json.dumps(taken))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main(int(sys.argv[1]))
