"""Answers that are kept until what they show changes."""

import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from wsgiref.util import FileWrapper

import brotli
import pytest
from backports import zstd
from django.http import HttpResponse
from django.test import Client, RequestFactory

from registry.core.kept import KEPT, ONLY_KEPT, Kept, KeptAnswers, kept_response
from registry.journal.models import Entry
from registry.results.services.merging import rename_system
from tests.registry.factory import make_paper, make_system, make_user
from tests.registry.leaderboards.boards import analysed, make_board, make_run, mark_changed

UNPACK = {"gzip": gzip.decompress, "br": brotli.decompress, "zstd": zstd.decompress}
TEXT = "<p>what stands on the page</p>"


class Building:
    """A page that counts how often it was built."""

    def __init__(self, status: int = 200) -> None:
        self.n_built = 0
        self.status = status

    def __call__(self) -> HttpResponse:
        self.n_built += 1
        return HttpResponse(TEXT, status=self.status, headers={"Link": "</x/>"})


def answer(build: Building, *, key: str = "a key", **headers: str) -> HttpResponse:
    return kept_response(RequestFactory().get("/", headers=headers or None), key=key, build=build)


def test_it_is_built_once():
    build = Building()
    answers = [answer(build) for _ in range(3)]
    assert build.n_built == 1
    assert {response.content.decode() for response in answers} == {TEXT}
    assert {response["Link"] for response in answers} == {"</x/>"}
    assert {response["Cache-Control"] for response in answers} == {"no-cache"}
    assert {response["Vary"] for response in answers} == {"Accept-Encoding, Cookie"}
    assert re.fullmatch('"[0-9a-f]{32}"', answers[0]["ETag"])


def test_an_error_is_not_kept():
    build = Building(status=404)
    assert "ETag" not in answer(build)
    answer(build)
    assert build.n_built == 2


def test_what_the_reader_has_already_is_not_sent_again():
    build = Building()
    request = RequestFactory().get("/", headers={"if-none-match": answer(build)["ETag"]})
    again = kept_response(request, key="a key", build=build)
    assert (again.status_code, again.content, request.META[KEPT]) == (304, b"", Kept.FOUND)
    assert "Accept-Encoding" in again["Vary"]
    assert (again["Cache-Control"], again["ETag"]) == ("no-cache", answer(build)["ETag"])
    assert answer(build, if_none_match='"another", W/"one"').status_code == 200


@pytest.mark.parametrize("coding", UNPACK)
def test_it_is_compressed_for_readers_that_can_read_that(coding):
    build = Building()
    plain, compressed = answer(build), answer(build, accept_encoding=coding)
    assert "Content-Encoding" not in plain
    assert compressed["Content-Encoding"] == coding
    assert UNPACK[coding](compressed.content).decode() == TEXT
    assert plain["ETag"] != compressed["ETag"]
    assert compressed["Link"] == "</x/>"
    assert build.n_built == 1


def test_what_is_only_wanted_if_it_is_kept_is_not_built():
    build, request = Building(), RequestFactory().get("/", headers={"accept-encoding": "br"}, **{ONLY_KEPT: True})
    missing = kept_response(request, key="a key", build=build)
    assert (build.n_built, request.META[KEPT], missing.status_code) == (0, Kept.MISSING, 204)
    first = RequestFactory().get("/", headers={"accept-encoding": "br"})
    kept_response(first, key="a key", build=build)
    assert first.META[KEPT] is Kept.BUILT
    response = kept_response(request, key="a key", build=build)
    assert (build.n_built, request.META[KEPT]) == (1, Kept.FOUND)
    assert brotli.decompress(response.content).decode() == TEXT


@pytest.mark.django_db
def test_what_is_their_own_is_put_into_the_pages_of_readers_with_an_account_and_into_no_file():
    own = f"<!--own core/_account.html-->{TEXT}<!--/own-->"
    ada = make_user("ada")
    for kind, is_put_in in (("text/html; charset=utf-8", True), ("text/csv", False)):
        request = RequestFactory().get("/", headers={"cookie": "sessionid=x", "accept-encoding": "gzip"})
        request.user = ada

        def build(kind=kind):
            return HttpResponse(own, content_type=kind, headers={"Cache-Control": "public"})

        response = kept_response(request, key=kind, build=build)
        assert (">ada</a>" in response.text, response.text == own) == (is_put_in, not is_put_in)
        assert (response["Cache-Control"], response["Vary"]) == ("private, no-cache", "Cookie")
        assert ("ETag" in response, "Content-Encoding" in response) == (False, False)


@pytest.mark.django_db
def test_readers_with_an_account_are_answered_with_what_is_kept_and_what_is_their_own(client):
    board = analysed(make_board())
    path = board.get_absolute_url()
    ada, bob = Client(), Client()
    ada.force_login(make_user("ada"))
    bob.force_login(make_user("bob"))
    assert ada.post("/accounts/", {"full_name": "Ada"}).status_code == 302
    # Ada is the first to read it.
    of_ada = ada.get(path)
    of_bob, of_all = bob.get(path), client.get(path)
    assert [answer.wsgi_request.META[KEPT] for answer in (of_ada, of_bob, of_all)] == [Kept.BUILT, *[Kept.FOUND] * 2]
    for response, name, other in ((of_ada, "ada", "bob"), (of_bob, "bob", "ada")):
        text = response.text
        assert f">{name}</a>" in text
        assert f">{other}</a>" not in text
        assert "Sign in" not in text
        assert response["Cache-Control"] == "private, no-cache"
        assert "Cookie" in response["Vary"]
        assert "ETag" not in response
    # What Ada did before is said to her once, and to nobody else.
    assert 'class="messages"' in of_ada.text
    assert 'class="messages"' not in ada.get(path).text + of_bob.text + of_all.text
    assert "Sign in" in of_all.text
    assert "csrfmiddlewaretoken" not in of_all.text
    assert "ETag" in of_all


def join(result):
    make_run(result.leaderboard, "0.98")
    mark_changed(result.leaderboard)


def respell(result):
    rename_system(system=result.system, name="BM25 RESPELLED", team="", actor=None, reason="a slip")


def complete(result):
    browser = Client()
    browser.force_login(make_user("root", is_staff=True, is_superuser=True))
    fields = dict.fromkeys(("title", "authors", "venue", "year", "url", "doi", "arxiv_id", "acl_id", "dblp_key"), "")
    response = browser.post(
        f"/admin/results/paper/{result.paper_id}/change/", fields | {"cite": "DOE (2021)", "bibtex": ""}
    )
    assert response.status_code == 302
    entry = Entry.objects.get(action="results.paper.edited")
    assert (entry.before, entry.after) == ({"cite": "Doe (2021)"}, {"cite": "DOE (2021)"})


@pytest.mark.django_db
@pytest.mark.parametrize("suffix", ["/", ".json", ".csv"])
@pytest.mark.parametrize(("change", "shown"), [(join, "0.98"), (respell, "BM25 RESPELLED"), (complete, "DOE (2021)")])
def test_a_new_result_and_a_new_name_make_another_answer(client, change, shown, suffix):
    board = make_board()
    result = make_run(board, "0.99", system=make_system("BM25 respelled"), paper=make_paper("Doe (2021)"))
    mark_changed(board)
    path = board.get_absolute_url()[:-1] + suffix
    before = client.get(path)
    assert shown not in before.content.decode()
    change(result)
    after = client.get(path, headers={"if-none-match": before["ETag"]})
    assert after.status_code == 200
    assert after["ETag"] != before["ETag"]
    assert shown in after.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/collections/", None])
def test_a_kept_page_takes_one_query(client, django_assert_num_queries, path):
    board = make_board()
    path = path or board.get_absolute_url()
    client.get(path)
    with django_assert_num_queries(1):
        client.get(path)


def test_a_large_one_is_sent_as_the_file_that_it_is_where_the_server_sends_files():
    def build() -> HttpResponse:
        return HttpResponse("x" * 100_000, content_type="text/csv")

    key = "a large answer"
    assert kept_response(RequestFactory().get("/"), key=key, build=build).content == b"x" * 100_000
    sent = kept_response(RequestFactory().get("/", **{"wsgi.file_wrapper": FileWrapper}), key=key, build=build)
    assert (sent["Content-Length"], sent["Content-Type"]) == ("100000", "text/csv")
    with sent.file_to_stream as file:
        assert file.read() == b"x" * 100_000
    packing = RequestFactory().get("/", headers={"accept-encoding": "gzip"}, **{"wsgi.file_wrapper": FileWrapper})
    assert gzip.decompress(kept_response(packing, key=key, build=build).content) == b"x" * 100_000


def test_what_is_kept_is_within_its_size_and_what_was_asked_for_last_stays():
    answers = KeptAnswers(most_bytes=4000)
    for number in range(9):
        answers.set(str(number), b"x" * 1000, {})
    numbers = []
    for number in range(9):
        if answer := answers.get(str(number)):
            answer[0].close()
            numbers.append(number)
    assert 2 <= len(numbers) <= 5
    assert numbers[-1] == 8
    with ThreadPoolExecutor(4) as pool:  # As processes do at the same time.
        list(pool.map(lambda number: answers.set(str(number), b"x" * 1000, {}), range(400)))
    answers.clear()
    assert answers.get("8") is None


def test_what_processes_before_kept_is_removed():
    before, now = KeptAnswers(), KeptAnswers()
    for answers in (before, now):
        answers.set("a", b"a page", {"Link": "</x/>"})
    now.forget_others()
    assert before.get("a") is None
    file, headers = now.get("a")
    with file:
        assert (file.read(), headers) == (b"a page", {"Link": "</x/>"})
