"""How what was found or done is put into an answer: headers of submissions, pages of results, files."""

import io
import json
import zipfile
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import msgspec
import pytest
from django.test import RequestFactory
from django.utils import timezone
from rest_framework.request import Request

from analysis.readers.exchange.formats import FORMATS
from analysis.readers.rows import BLANKS
from registry.api.errors import Refusal
from registry.api.paging import Window, read_token
from registry.api.views.documents import _file_name, file_of
from registry.api.views.private import respond
from registry.api.views.submissions import describe, require_good_rows, version_of
from registry.core.http import AT_HEADERS
from registry.curation.lineage.models import SystemFacts, TrainingDeclaration
from registry.results.models import Model
from registry.search.models import Thing
from registry.submissions.models import Submission, SubmittedRow
from registry.submissions.services.drafting import MAX_ROWS_AT_ONCE
from registry.submissions.services.idempotency import Answer
from registry.tools.check.documents import check_document
from tests.registry.api.programs import LIST, Program
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_result, make_system
from tests.registry.leaderboards.boards import VALUES, analyse, make_board
from tests.registry.search.world import put
from tests.registry.submissions.world import make_robust04, make_submission, row

pytestmark = pytest.mark.django_db

BODY = {"id": "0" * 8 + "-0000" * 3 + "-" + "0" * 12, "version": 3, "counts": {"unchecked": 0}}


def test_an_answer_has_the_version_where_it_is_and_whether_it_came_before():
    told = ("ETag", "Location", "Retry-After", "Idempotent-Replayed")

    def headers(answer: Answer) -> dict[str, str]:
        response = respond(answer)
        assert response.status_code == answer.status
        return {name: response[name] for name in told if name in response}

    assert headers(Answer(200, BODY)) == {"ETag": '"3"'}
    assert headers(Answer(201, BODY)) == {"ETag": '"3"', "Location": f"/api/v1/submissions/{BODY['id']}/"}
    assert headers(Answer(204, None)) == {}
    assert headers(Answer(204, None, is_replayed=True)) == {"Idempotent-Replayed": "true"}
    waits = BODY | {"counts": {"unchecked": 5}}
    assert headers(replace(Answer(200, waits), is_replayed=True)) == {
        "ETag": '"3"', "Retry-After": "2", "Idempotent-Replayed": "true",
    }  # fmt: skip
    assert respond(Answer(204, None)).content == b""
    turned = respond(Answer(200, dict(reversed(waits.items()))))
    assert turned.content == respond(Answer(200, waits)).content
    assert list(json.loads(turned.content)) == ["counts", "id", "version"]


@pytest.mark.parametrize(
    ("given", "status", "code"),
    [(None, 428, "required"), ("", 428, "required"), ("*", 428, "malformed"), ('W/"1"', 400, "malformed"),
     ('"1', 400, "malformed"), ("-1", 400, "malformed"), ('"1234567890"', 400, "malformed")],
)  # fmt: skip
def test_a_change_that_names_no_version_is_told_the_present_one(given, status, code):
    request = Request(RequestFactory().get("/", headers={} if given is None else {"if-match": given}))
    with pytest.raises(Refusal) as refused:
        version_of(request, SimpleNamespace(version=7))
    message = 'Say which version you change, as its ETag has it; the present one is If-Match: "7".'
    assert refused.value.status_code == status
    assert refused.value.errors == [{"field": "If-Match", "code": code, "message": message}]


@pytest.mark.parametrize(("given", "version"), [('"7"', 7), ("12", 12), (' "123456789" ', 123456789)])
def test_a_version_is_named_as_a_tag_or_as_a_number(given, version):
    assert version_of(Request(RequestFactory().get("/", headers={"if-match": given})), None) == version


def test_rows_that_are_handed_in_at_once_have_been_checked_and_are_good():
    good, bad, unchecked = (
        SubmittedRow(line=line, cells=row(), outcome=outcome)
        for line, outcome in enumerate((SubmittedRow.Outcome.NEW, SubmittedRow.Outcome.REFUSED, ""), 1)
    )
    bad.rejections = [{"field": "value", "code": "range", "message": "is above 1"}]
    require_good_rows([good, good])
    with pytest.raises(Refusal) as refused:
        require_good_rows([good, unchecked])
    (part,) = refused.value.errors
    assert (refused.value.status_code, part["field"], part["code"]) == (400, "submit", "too_many_rows")
    assert part["message"].startswith(f"more than {MAX_ROWS_AT_ONCE:,} rows are checked first")
    with pytest.raises(Refusal) as refused:
        require_good_rows([good, bad])
    assert refused.value.status_code == 422
    assert refused.value.errors == [{"field": "value", "code": "range", "message": "row 2: is above 1"}]


def test_a_submission_is_described_with_its_first_rows_in_few_queries(django_assert_num_queries):
    make_robust04()
    other = make_submission()
    draft = make_submission(rows=[row(system=f"S{number}") for number in range(3)])
    Submission.objects.filter(pk=other.pk).update(note="another")
    draft.rows.filter(line=2).update(outcome=SubmittedRow.Outcome.REFUSED)
    request = SimpleNamespace(user=draft.contributor)
    with django_assert_num_queries(4):
        found = describe(draft, request)
    assert (found["id"], found["count"], found["next_page"]) == (str(draft.pk), 3, None)
    assert [one["line"] for one in found["results"]] == [1, 2, 3]
    refused = describe(draft, request, outcome=SubmittedRow.Outcome.REFUSED)
    assert ([one["line"] for one in refused["results"]], refused["count"]) == ([2], 1)
    part = describe(draft, request, Window(start=1, size=1, question=""))
    assert [one["line"] for one in part["results"]] == [2]
    assert read_token(part["next_page"], "") == 2


def test_ones_own_submissions_are_listed_by_state_the_latest_first_in_few_queries(django_assert_max_num_queries):
    make_robust04()
    program = Program()
    drafts = [make_submission(program.user, [row(system=f"S{number}")]) for number in range(3)]
    make_submission()
    Submission.objects.filter(pk=drafts[1].pk).update(state=Submission.State.RETURNED, submitted_at=timezone.now())
    with django_assert_max_num_queries(6):
        listed = program.ask("list_submissions", LIST).json()
    assert [one["id"] for one in listed["results"]] == [str(one.pk) for one in reversed(drafts)]
    returned = program.ask("list_submissions", f"{LIST}?state=returned").json()
    assert [one["id"] for one in returned["results"]] == [str(drafts[1].pk)]


def test_who_may_send_is_told_before_the_body_is_read():
    program = Program()
    asked = {AT_HEADERS: "1"}
    assert program.client.post(LIST, headers=program.headers, **asked).status_code == 100
    assert program.client.post(f"{LIST}?nonsense=1", headers=program.headers, **asked).status_code == 400
    assert program.client.post(LIST, **asked).status_code == 401
    assert program.client.head(f"{LIST}?page_size=5", headers=program.headers).status_code == 200
    assert program.client.head(f"{LIST}?dry_run=true", headers=program.headers).status_code == 400


def test_pages_of_a_systems_results_count_all_of_them(client):
    system = make_system()
    for number in range(4):
        make_result(system=system, printed=f"0.{number + 1}")
    path = f"/api/v1/systems/{system.slug}/"

    def page(start: int, size: int) -> tuple[int, int, int | None]:
        token = Window(start=start - 1, size=1, question="").next_token(99) if start else ""
        body = client.get(path, {"page": token, "page_size": size}).json()
        following = body["next_page"] and read_token(body["next_page"], "")
        return body["count"], len(body["results"]), following

    assert page(0, 4) == page(0, 9) == (4, 4, None)
    assert page(0, 3) == (4, 3, 3)
    assert page(3, 3) == (4, 1, None)
    assert page(0, 2) == (4, 2, 2)
    assert page(2, 2) == (4, 2, None)
    assert page(6, 2) == (4, 0, None)


def test_what_was_said_of_a_system_later_is_not_told_of_an_earlier_day(client):
    system = make_system("BM25")
    make_result(system=system, recorded_at=timezone.now() - timedelta(days=9))
    said = {"system": system, "source": "its card", "recorded_at": timezone.now() - timedelta(days=1)}
    SystemFacts.objects.create(model="bm25", **said)
    TrainingDeclaration.objects.create(declared="nothing", **said)
    path = f"/api/v1/systems/{system.slug}/"
    day = str((timezone.now() - timedelta(days=5)).date())
    today, then = client.get(path).json(), client.get(path, {"as_of": day}).json()
    assert (today["facts"]["model"], [one["declared"] for one in today["training"]]) == ("bm25", ["nothing"])
    assert (then["facts"], then["training"], then["count"]) == (None, [], 1)


def test_a_collection_has_its_own_leaderboards_those_with_the_most_counted_results_first(client):
    large = make_board()
    analyse(large)
    waiting = make_leaderboard(large.collection, make_measure("A waiting"), results_version=1)
    make_result(waiting)
    small = make_leaderboard(large.collection, make_measure("B small"), results_version=1)
    for value in VALUES[:6]:
        make_result(small, printed=value)
    analyse(small)
    analyse(make_board())
    found = client.get(f"/api/v1/collections/{large.collection.slug}/").json()
    assert [one["measure"]["name"] for one in found["leaderboards"]] == [large.measure.name, "B small", "A waiting"]


def test_a_search_counts_what_was_asked_for(client):
    for number in range(3):
        put(Thing.Kind.SYSTEM, number, f"late {number}")
    put(Thing.Kind.COLLECTION, 1, "late")
    counts = {kind: client.get(f"/api/v1/search/?q=late&kind={kind}").json() for kind in ("", "system", "paper")}
    assert {kind: one["count"] for kind, one in counts.items()} == {"": 4, "system": 3, "paper": 0}
    assert [one["title"] for one in counts["system"]["results"]] == ["late 0", "late 1", "late 2"]
    assert counts["paper"]["kinds"] == {"collection": 1, "system": 3}
    assert (counts[""]["searched_for"], counts[""]["is_corrected"]) == ("late", False)


def test_a_check_counts_how_many_were_tried(client):
    board = make_board()
    analyse(board)
    slug, measure = board.names
    path = f"/api/v1/check/?collection={slug}&measure={measure}&score=0.33"
    for query, n_tried in (("", 1), ("&tried=1", 1), ("&tried=25", 25)):
        wanted = msgspec.to_builtins(check_document(board, 0.33, None, n_tried))
        assert client.get(path + query).json() == json.loads(json.dumps(wanted)), query
    assert check_document(board, 0.33, None, 1) != check_document(board, 0.33, None, 2)
    empty = make_leaderboard(make_collection("empty"), board.measure, results_version=1)
    make_result(empty, comparability="doubtful")
    answer = client.get(f"/api/v1/check/?collection=empty&measure={measure}&score=0.33")
    assert answer.status_code == 404
    assert answer.json()["error"].startswith("No comparable result is recorded on ")


def test_names_of_files_are_plain():
    assert _file_name("=SUM(A1)  é.v2") == "SUM-A1-.v2"
    assert _file_name("..a/b-") == "a-b"
    assert _file_name("日本語") == _file_name("") == "results"
    assert _file_name("x" * 100) == "x" * 80


def test_results_are_one_file_or_an_archive_of_one_for_each_run():
    rows = [BLANKS | row(system=name, measure="AP", value="0.2") for name in ("A b", "C", "A b")]
    csv = file_of(rows, FORMATS["csv"], "name")
    assert csv["Content-Type"] == "text/csv; charset=utf-8"
    assert csv["Content-Disposition"] == 'attachment; filename="name.csv"'
    assert csv.content.decode() == FORMATS["csv"].write(rows)
    ours = file_of(rows, FORMATS["json"], "name")
    assert (ours["Content-Type"], ours["Content-Disposition"]) == (
        "application/json", 'attachment; filename="name.json"',
    )  # fmt: skip
    one = file_of(rows[:1], FORMATS["run_card"], "name")
    assert one["Content-Type"] == "application/yaml; charset=utf-8"
    assert one["Content-Disposition"] == 'attachment; filename="name.runcard.yaml"'
    several = file_of(rows[:2], FORMATS["run_card"], "name")
    assert several["Content-Type"] == "application/zip"
    assert several["Content-Disposition"] == 'attachment; filename="name.run_card.zip"'
    members = zipfile.ZipFile(io.BytesIO(several.content)).infolist()
    assert [(one.filename, one.date_time, one.compress_type) for one in members] == [
        ("0001-A-b.runcard.yaml", (1980, 1, 1, 0, 0, 0), zipfile.ZIP_DEFLATED),
        ("0002-C.runcard.yaml", (1980, 1, 1, 0, 0, 0), zipfile.ZIP_DEFLATED),
    ]
    assert zipfile.ZipFile(io.BytesIO(several.content)).read("0001-A-b.runcard.yaml").decode() == one.content.decode()


def test_logs_say_which_measures_are_errors_and_the_latest_revision_of_a_model():
    make_measure("AP")
    make_measure("Minutes", higher_is_better=False)
    system, other = make_system("A", team="t"), make_system("B", team="t")
    facts = {"model": "A", "source": "mteb", "recorded_at": timezone.now()}
    old = SystemFacts.objects.create(system=system, revision="old", ended_at=timezone.now(), **facts)
    SystemFacts.objects.create(system=system, revision="new", **facts | {"source": "hub"})
    SystemFacts.objects.create(system=other, revision="", **facts)
    assert old.pk
    rows = [
        BLANKS | row(system=name, team="t", measure=measure, value="0.2", source="s")
        for name, measure in (("A", "AP"), ("A", "Minutes"), ("B", "AP"))
    ]
    answer = file_of(rows, FORMATS["every_eval_ever"], "name")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    first, second = (json.loads(archive.read(name)) for name in archive.namelist())
    assert [one["metric_config"]["lower_is_better"] for one in first["evaluation_results"]] == [False, True]
    assert first["model_info"]["additional_details"]["revision"] == "new"
    assert "revision" not in second["model_info"].get("additional_details", {})
    assert Model.objects.count() == 0
