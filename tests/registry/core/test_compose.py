"""A team's installation as compose.yaml has it: each service confined, and its commands run without containers."""

import json
import os
import re
import shutil
import string
import subprocess
import sys
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml

from tests.databases import ROOT, collect_static_files, new_postgresql
from tests.registry.core.lab import answers, free_port, until

COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name for name, service in SERVICES.items() if "build" in service}
SECRETS = {
    name: f"{name.lower().replace('_', '')}7" for name in ("POSTGRES_PASSWORD", "SITE_PASSWORD", "REDIS_PASSWORD")
}


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_has_no_more_than_it_needs(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {"mem_limit", "pids_limit"} <= service.keys()
    # What ends by itself is watched by those who wait for it.
    assert ("healthcheck" in service) == (name != "prepare")
    assert not service.keys() & {"privileged", "network_mode", "pid", "devices"}
    assert "build" in service or re.fullmatch(r"\S+:\S+@sha256:[0-9a-f]{64}", service["image"])


def test_what_keeps_the_data_is_reached_by_those_alone_who_work_with_it() -> None:
    networks = {name: set(service["networks"]) for name, service in SERVICES.items()}
    assert networks["postgres"] == networks["redis"] == {"inside"}
    assert not networks["proxy"] & networks["postgres"]
    assert [name for name, network in COMPOSE["networks"].items() if not network.get("internal")] == ["outside"]
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert COMPOSE["configs"]["proxy"]["content"].startswith("${PLUMBLINE_SITE_URL:?")


def test_the_password_of_the_owner_is_for_preparing_alone() -> None:
    environments = {name: str(SERVICES[name]["environment"]) for name in OURS}
    assert {name for name, text in environments.items() if "${POSTGRES_PASSWORD" in text} == {"prepare"}
    # The file that every service of ours is given has it, too.
    assert {SERVICES[name]["environment"]["POSTGRES_PASSWORD"] for name in OURS} == {""}


def test_every_secret_is_asked_for_in_the_example() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+):\?", (ROOT / "compose.yaml").read_text()))
    assert asked <= set(re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), flags=re.MULTILINE))


def test_the_image_installs_what_is_held_against_its_digests() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^FROM \S+@sha256:[0-9a-f]{64}$", text, flags=re.MULTILINE)
    assert "pip install --no-cache-dir --require-hashes -r requirements.lock" in text
    assert re.search(r"^USER plumbline$", text, flags=re.MULTILINE)


class Team:
    """The services of compose.yaml as processes of this machine, over a database of PostgreSQL."""

    def __init__(self, home: Path, database: str) -> None:
        self.home, self.database = home, database
        self.role = f"plumbline_site_{uuid.uuid4().hex[:12]}"
        self.port, self.redis_port = free_port(), free_port()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        parts = urlsplit(database)
        self.owner = parts.netloc.partition("@")[0].partition(":")[0]
        self._machine = parts.netloc.rpartition("@")[2]
        make_role(database, self.role)

    @property
    def site_url(self) -> str:
        """Return where the site's own role connects to."""
        return (
            urlsplit(self.database)._replace(netloc=f"{self.role}:{SECRETS['SITE_PASSWORD']}@{self._machine}").geturl()
        )

    def run(self, name: str, command: str | list[str], environment: dict[str, Any]) -> "subprocess.Popen[bytes]":
        """Start one command in the environment that the file gives its service, on ports of this machine."""
        values = SECRETS | {"SECRET_KEY": "k" * 50, "PLUMBLINE_ALLOWED_HOSTS": "plumbline.example.org"}
        values = {key: string.Template(re.sub(r"(?<=[A-Z]):[?-][^}]*", "", str(text))).substitute(values)
                 for key, text in environment.items()}  # fmt: skip
        values["DATABASE_URL"] = self.site_url if "plumbline_site:" in values.get("DATABASE_URL", "") else self.database
        values["REDIS_URL"] = values.get("REDIS_URL", "").replace("@redis:6379", f"@127.0.0.1:{self.redis_port}")
        outer = {key: text for key, text in os.environ.items() if not key.startswith("PLUMBLINE_")}
        folder = Path(sys.executable).parent
        own = {"PATH": f"{folder}:{outer['PATH']}", "PLUMBLINE_HOME": str(self.home), "HOSTNAME": os.uname().nodename}
        words = command.split() if isinstance(command, str) else list(command)
        words = [word.replace("$$", "$").replace("8000", str(self.port)) for word in words]
        if words[0] == "CMD-SHELL":
            words = ["sh", "-c", words[1]]
        with (self.home / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                words, env=outer | own | values, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )

    def start(self, *names: str) -> None:
        for name in names:
            self.processes[name] = self.run(name, SERVICES[name]["command"], SERVICES[name]["environment"])

    def start_redis(self) -> None:
        """Start its command, with a port and a folder of this machine."""
        here = f"redis-server - --port {self.redis_port} --bind 127.0.0.1 --dir {self.home} "
        command = [word.replace("redis-server - ", here) for word in SERVICES["redis"]["command"]]
        self.processes["redis"] = self.run("redis", command, SERVICES["redis"]["environment"])
        until(lambda: answers(self.redis_port), 20, "Redis answers")

    def is_healthy(self, name: str) -> bool:
        """Return whether the service's own check says so."""
        test = SERVICES[name]["healthcheck"]["test"]
        words = [test[0], test[1].replace("find var", f"find {self.home}")] if test[0] == "CMD-SHELL" else test[1:]
        return self.run("checks", words, SERVICES[name]["environment"]).wait(timeout=60) == 0

    def close(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
        with psycopg.connect(self.database, autocommit=True) as connection:
            connection.execute(f"DROP OWNED BY {self.role}")
            connection.execute(f"DROP ROLE {self.role}")


def make_role(database: str, role: str) -> None:
    """Run what a new database of a team runs."""
    subprocess.run(
        ["psql", "-X", "-q", "-d", database, "-f", str(ROOT / "tools" / "site_role.sql")],
        env=os.environ | {"SITE_ROLE": role, "SITE_PASSWORD": SECRETS["SITE_PASSWORD"]},
        check=True,
        capture_output=True,
    )


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    if not shutil.which("psql"):
        pytest.skip("no psql on the path")
    with new_postgresql() as url:
        home = tmp_path / "home"
        home.mkdir(mode=0o700)
        whole_team = Team(home, url)
        yield whole_team
        whole_team.close()


@pytest.mark.postgres
def test_the_role_of_the_site_reads_and_writes_rows_and_takes_no_guard_away(team: Team) -> None:
    # Twice, as after an upgrade.
    make_role(team.database, team.role)
    insert = (
        "INSERT INTO journal_entry (action, subject_type, subject_id, reason, before, after, recorded_at) "
        "VALUES ('test.row.added', 'test', '1', '', '{}', '{}', now())"
    )
    with psycopg.connect(team.database, autocommit=True) as owner:
        owner.execute("CREATE TABLE added_later (id serial PRIMARY KEY)")
        (guards,) = owner.execute("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal").fetchone() or (0,)
        assert guards > 10
    with psycopg.connect(team.site_url, autocommit=True) as site:
        site.execute("INSERT INTO added_later DEFAULT VALUES")
        site.execute(insert)
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="keeps what was written"):
            site.execute("UPDATE journal_entry SET reason = 'forged'")
        for statement in (
            "DROP TRIGGER journal_entry_no_update ON journal_entry",
            "ALTER TABLE journal_entry DISABLE TRIGGER ALL",
            "CREATE TRIGGER mine BEFORE INSERT ON journal_entry EXECUTE FUNCTION plumbline_keep_as_written()",
            "CREATE OR REPLACE FUNCTION plumbline_keep_as_written() RETURNS trigger LANGUAGE sql AS 'SELECT NULL'",
            "DROP FUNCTION plumbline_keep_as_written() CASCADE",
            "SET session_replication_role = replica",
            "TRUNCATE journal_entry",
            "DROP TABLE journal_entry CASCADE",
            "CREATE TABLE mine ()",
            f"SET ROLE {team.owner}",
            f"ALTER ROLE {team.role} SUPERUSER",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                site.execute(statement)


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.redis
def test_all_that_the_file_starts_works_by_that_role_and_finds_itself_healthy(team: Team) -> None:
    collect_static_files(team.home)
    team.start_redis()
    assert team.is_healthy("redis")
    refused = subprocess.run(["redis-cli", "-p", str(team.redis_port), "ping"], capture_output=True, text=True)
    assert "NOAUTH" in refused.stdout + refused.stderr
    team.start("web")
    until(lambda: team.is_healthy("web"), 90, "the web server answers", lambda: log_of(team, "web"))
    team.start("worker", "awaited", "beat")
    for name in ("worker", "awaited", "beat"):
        until(lambda name=name: team.is_healthy(name), 120, f"{name} is healthy", lambda name=name: log_of(team, name))

    def health() -> dict[str, Any]:
        with urllib.request.urlopen(f"http://localhost:{team.port}/-/health/", timeout=10) as answer:
            return json.load(answer)

    until(lambda: health()["worker"]["alive"], 60, "a worker is seen", lambda: str(health()))
    assert health()["database"] == "postgresql"
    assert not [text for name in team.processes if "permission denied" in (text := log_of(team, name))]


def log_of(team: Team, name: str) -> str:
    return (team.home / f"{name}.log").read_text(errors="replace")[-2000:]
