"""The database gone, busy or without room: what people and programs are told, and that faults of ours stay faults."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from registry.core.refusals import DatabaseAway, DatabaseBusy, DatabaseMissing, DiskFull, Outage, outage_of
from registry.urls import handler404, handler500  # noqa: F401 - this module takes the place of the site's addresses
from registry.urls import urlpatterns as of_the_site
from tests.registry.pages import read

#: What the view at /failing/ does; set by each test.
failure: Callable[[], None]


def failing(request: Any) -> None:
    failure()


class Failing(APIView):
    def get(self, request: Request) -> Response:
        failure()
        return Response()


urlpatterns = [
    path("failing/", failing),
    path("failing.json", failing),
    path("api/v1/failing/", Failing.as_view()),
    *of_the_site,
]


def full(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "full")) as database:
        database.execute("PRAGMA max_page_count = 2")
        database.execute("CREATE TABLE rows (text)")
        database.execute("INSERT INTO rows VALUES (zeroblob(100000))")


def busy(folder: Path) -> None:
    with (
        closing(sqlite3.connect(folder / "busy")) as first,
        closing(sqlite3.connect(folder / "busy", timeout=0)) as other,
    ):
        first.execute("BEGIN EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")


def read_only(folder: Path) -> None:
    sqlite3.connect(folder / "read-only").execute("CREATE TABLE rows (text)").connection.close()
    with closing(sqlite3.connect(f"file:{folder}/read-only?mode=ro", uri=True)) as database:
        database.execute("INSERT INTO rows VALUES (1)")


def gone(folder: Path) -> None:
    sqlite3.connect(folder / "no" / "such" / "folder")


def no_room_for_a_file(folder: Path) -> None:
    with open("/dev/full", "wb", buffering=0) as device:
        device.write(b"x")


OUTAGES = [
    (full, DiskFull, 507),
    (no_room_for_a_file, DiskFull, 507),
    (busy, DatabaseBusy, 503),
    (read_only, DatabaseAway, 503),
    (gone, DatabaseMissing, 503),
]


def error_of(fail: Callable[[Path], None], folder: Path) -> BaseException:
    """Return what a view sees of it: Django has exceptions of its own around those of the database."""
    with pytest.raises((OperationalError, OSError)) as raised, connection.wrap_database_errors:
        fail(folder)
    return raised.value


@contextmanager
def failing_with(error: BaseException) -> Iterator[None]:
    global failure

    def failure() -> None:
        raise error

    yield
    del failure


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("53100", DiskFull),  # disk_full
        ("53300", DatabaseAway),  # too_many_connections
        ("57P01", DatabaseAway),  # admin_shutdown
        ("57P03", DatabaseAway),  # cannot_connect_now
        ("25006", DatabaseAway),  # read_only_sql_transaction
        ("55P03", DatabaseBusy),  # lock_not_available
        ("40P01", DatabaseBusy),  # deadlock_detected
        ("57014", DatabaseBusy),  # query_canceled: the statement took too long
        ("42P01", type(None)),  # undefined_table
        ("23505", type(None)),  # unique_violation
    ],
)
def test_an_outage_is_known_by_what_postgresql_calls_it(state: str, kind: type[Outage] | None) -> None:
    with pytest.raises(Exception, match="told") as raised, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"DO $$ BEGIN RAISE EXCEPTION 'told' USING ERRCODE = '{state}'; END $$")
    assert type(outage_of(raised.value)) is kind


@pytest.mark.parametrize("error", [OperationalError("no such table: x"), OSError(2, "No such file"), ValueError("x")])
def test_faults_of_ours_are_no_outages(error: BaseException) -> None:
    assert outage_of(error) is None


@pytest.mark.sqlite
@pytest.mark.urls(__name__)
@pytest.mark.parametrize(("fail", "kind", "status"), OUTAGES)
@pytest.mark.parametrize("address", ["/failing.json", "/api/v1/failing/"])
def test_programs_get_the_one_shape_of_errors(
    client: Client, tmp_path: Path, fail: Any, kind: type[Outage], status: int, address: str
) -> None:
    client.raise_request_exception = False
    with failing_with(error_of(fail, tmp_path)):
        response = client.get(address)
    outage = kind()  # type: ignore[call-arg]
    assert (response.status_code, response["Retry-After"]) == (status, str(outage.retry_after))
    part = {"field": "", "code": {503: "unavailable", 507: "no_room"}[status], "message": str(outage)}
    assert response.json() == {"ok": False, "status": status, "error": str(outage), "errors": [part]}
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Cache-Control"] == "no-store"


@pytest.mark.sqlite
@pytest.mark.urls(__name__)
@pytest.mark.parametrize(("fail", "kind", "status"), OUTAGES)
def test_people_get_a_page_that_asks_the_database_nothing(
    client: Client, tmp_path: Path, fail: Any, kind: type[Outage], status: int
) -> None:
    # Without access to the database (no django_db mark), although the visitor has a session.
    client.raise_request_exception = False
    client.cookies["sessionid"] = "a" * 32
    with failing_with(error_of(fail, tmp_path)):
        page = read(client, "/failing/", status=status)
    assert page.headings[0] == (1, kind.title)
    assert str(kind()) in page.text  # type: ignore[call-arg]
    assert "Sign in" not in page.text


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/failing/", b"<h1>Something went wrong here</h1>"),
        ("/failing.json", b'{"ok": false, "status": 500, "error": "'),
        ("/api/v1/failing/", b'{"ok": false, "status": 500, "error": "'),
    ],
)
def test_a_fault_of_ours_is_500_without_its_words(client: Client, address: str, said: bytes) -> None:
    client.raise_request_exception = False
    with failing_with(OperationalError("no such table: x")):
        response = client.get(address)
    assert response.status_code == 500
    assert "Retry-After" not in response
    assert b"no such table" not in response.content
    assert said in response.content
    assert b"it is logged" in response.content
