"""A site on a disk that fills up, as JSON: what is answered before, while it is full, and after.

``unshare --user --map-root-user --mount python -m tests.registry.core.full_disk FOLDER``: the folder gets a small disk
of its own, which nobody outside of this process and its children sees.
"""

import json
import re
import subprocess
import sys
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.registry.core.lab import Lab, ask

_DISK_BYTES = 80_000_000
TOKEN = """
from registry.accounts.models import User
from registry.accounts.services import create_token
person = User.objects.create_user("program")
print(create_token(user=person, name="full", scopes=["read", "submit"], days=1).secret)
"""


def main(folder: Path) -> None:
    """Print the answers of the three times."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES}", "tmpfs", str(folder)], check=True)
    lab = Lab(folder / "home")
    try:
        lab.run("manage.py", "load_catalog", "data", "-v0")
        token = lab.shell(TOKEN).strip()
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
    page, content = ask(port, "/accounts/login/")
    (form_token,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', content)
    form = {"csrfmiddlewaretoken": form_token, "login": "nobody@example.org", "password": "wrong"}
    cookie = str(page.getheader("Set-Cookie")).partition(";")[0]
    typed = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    return {
        "pages": [ask(port, path)[0].status for path in ("/", "/collections/", "/api/v1/collections/")],
        "health": _told(*ask(port, "/-/health/")),
        "form": _told(*ask(port, "/accounts/login/", "POST", urlencode(form), typed)),
        "program": _told(*submit(port, token, system)),
    }


def submit(port: int, token: str, system: str) -> tuple[HTTPResponse, str]:
    """Return what a program is answered that submits a result of a system."""
    result = {
        "collection": "trec-2004-robust",
        "measure": "AP",
        "system": system,
        "value": "0.3012",
        "role": "proposed",
    }
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return ask(port, "/api/v1/submissions/", "POST", json.dumps({"results": [result]}), headers)


def _told(response: HTTPResponse, content: str) -> dict[str, Any]:
    return dict(response.getheaders()) | {"status": response.status, "content": content}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
