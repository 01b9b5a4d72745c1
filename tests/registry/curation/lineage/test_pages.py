"""Families on the pages of systems, pages of lineages, and the decisions of editors on them."""

import re

import pytest

from registry.curation.lineage.models import LineageDecision
from registry.curation.lineage.services.deciding import join_lineage, merge_lineage
from registry.journal.models import Entry
from tests.registry.curation.lineage.world import load_lineage, load_training, make_of
from tests.registry.factory import make_collection, make_leaderboard, make_system
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db

JOIN = {"decision": "join", "key": "team:NovaSearch", "reason": "their model card"}


def test_a_system_shows_its_family_and_its_training(client, tmp_path):
    result = make_of("stella", "infgrad", leaderboard=make_leaderboard(make_collection("beir-fiqa")))
    load_lineage(tmp_path, "stella,infgrad,model:stella,one author's line of models")
    load_training(tmp_path, "stella,infgrad,yes,the list names FiQA2018,mteb 2,beir-fiqa")
    page = read(client, f"/systems/{result.system.slug}/")
    assert "model, with its sizes, revisions and precisions: stella one author's line of models" in page.text
    assert "team: infgrad its team" in page.text
    assert "Trained on it: mteb 2; the list names FiQA2018" in page.text
    assert "Decide on a lineage" not in page.text
    assert page.link("stella") == "/lineages/?key=model%3Astella"


def test_the_page_says_where_sources_disagree_and_what_counts_as_similar(client, tmp_path):
    fiqa = make_collection("beir-fiqa", name="FiQA", mteb_task="FiQA2018")
    result = make_of("stella", "infgrad", leaderboard=make_leaderboard(fiqa))
    make_collection("fiqa-pl", name="FiQA-PL")
    load_training(
        tmp_path,
        "stella,infgrad,no,,,package,,mteb==2.26.24:mteb/models/x.py#L7,,medium,,*",
        "stella,infgrad,yes,FiQA,train,card,we use FiQA,https://example.org/card,2024-05,high,,beir-fiqa",
        "stella,infgrad,yes,FiQA,train,card,we use FiQA,https://example.org/card,2024-05,high,"
        "through a similar task,fiqa-pl",
        "stella,infgrad,yes,NQ,unspecified,paper,as its base model,https://example.org/paper,,low,said of its base,",
    )
    page = read(client, f"/systems/{result.system.slug}/")
    assert "it may leave things out, and it is not the maker’s word" in page.text
    assert "FiQA sources disagree: it is not in the package’s list" in page.text
    assert page.text.count("we use FiQA") == 1
    assert (
        "Trained on it (train): we use FiQA a model or data set card, 2024-05; also through a similar task: FiQA-PL"
        in page.text
    )
    assert "as its base model a paper; said of its base; low confidence" in page.text
    assert page.link("the list of the mteb package") == (
        "https://github.com/embeddings-benchmark/mteb/blob/2.26.24/mteb/models/x.py#L7"
    )


def test_a_system_without_any_is_a_family_of_its_own(client):
    assert "it is a family of its own" in read(client, f"/systems/{make_system('run 1').slug}/").text


def test_an_earlier_day_shows_what_was_known_then(client, tmp_path):
    result = make_of("stella", "infgrad")
    load_lineage(tmp_path, "stella,infgrad,model:stella,its name")
    assert "its name" not in read(client, f"/systems/{result.system.slug}/?as_of=2026-01-01").text


def test_a_lineage_lists_its_systems(client, tmp_path):
    for name, team in (("b", "z"), ("b", "y"), ("a", "x"), ("c", "z")):
        make_of(name, team)
    load_lineage(tmp_path, "a,x,model:m,its name", "b,y,model:m,its name", "b,z,model:m,its name")
    merge_lineage(key="model:n", into="model:m", actor=editor(), reason="one model")
    page = read(client, "/lineages/?key=Model:M")
    assert ("3 systems belong to it" in page.text, "model:n is the same as model:m" in page.text) == (True, True)
    assert [words for address, words in page.links if re.match("/systems/.", address)] == ["a", "b", "b"]
    assert "a x b y b z" in page.text


@pytest.mark.parametrize("address", ["/lineages/", "/lineages/?kye=a:b", "/lineages/?key=team:x&page=0"])
def test_a_bad_question_is_answered_with_what_is_wrong(client, address):
    assert client.get(address).status_code == 400


@pytest.mark.parametrize("key", ["team:nobody", "nonsense", "x:y"])
def test_what_never_was_a_lineage_is_not_there(client, key):
    assert client.get("/lineages/", {"key": key}).status_code == 404


def test_an_editor_joins_a_system_and_takes_it_back():
    result, browser = make_of("stella", "infgrad"), signed_in(editor())
    address = f"/systems/{result.system.slug}/"
    assert browser.post(f"{address}lineage/", JOIN).url == address
    page = read(browser, address)
    assert "their model card" in page.text
    entry = Entry.objects.get(action="results.lineage.joined")
    assert (entry.subject_id, entry.after) == (str(result.system_id), {"lineage": "team:novasearch"})
    take_back = page.link("take back")
    assert browser.post(take_back, {"reason": "not so"}).url == address
    assert "their model card" not in read(browser, address).text
    ended = Entry.objects.get(action="results.lineage.decision_taken_back")
    assert (ended.subject_type, ended.subject_id, ended.reason) == ("system", str(result.system_id), "not so")
    assert ended.before == {"lineage": "team:novasearch", "decision": "is of this lineage"}
    assert read(browser, "/log/").text.count("lineage") >= 2


def test_an_editor_takes_a_system_out_by_the_link_beside_it():
    result, browser = make_of("stella", "infgrad"), signed_in(editor())
    form = read(browser, read(browser, f"/systems/{result.system.slug}/").link("Not of this"))
    assert 'value="team:infgrad"' in form.source
    sent = {"decision": "leave", "key": "team:infgrad", "reason": "another person"}
    browser.post(f"/systems/{result.system.slug}/lineage/", sent)
    assert "Not team: infgrad" in read(browser, f"/systems/{result.system.slug}/").text


def test_an_editor_merges_and_dissolves():
    make_of("a", "TencentBAC")
    browser = signed_in(editor())
    address = read(browser, "/lineages/?key=team:tencentbac").link("Decide on this lineage")
    form = read(browser, address).text
    assert [words for words in ("Decision", "The other lineage", "For the same as another.") if words not in form] == []
    response = browser.post(address, {"decision": "merge", "into": "team:tencent", "reason": "one company"})
    assert response.url == "/lineages/?key=team%3Atencent"
    assert "1 system belongs to it" in read(browser, response.url).text
    merged = Entry.objects.get(action="results.lineage.merged")
    assert (merged.subject_type, merged.subject_id) == ("lineage", "team:tencentbac")
    assert merged.after == {"lineage": "team:tencentbac", "into": "team:tencent"}
    browser.post("/lineages/decide/?key=team:tencent", {"decision": "dissolve", "reason": "too large"})
    assert "It makes no family, as" in read(browser, response.url).text


def test_the_log_leads_to_the_lineage(client):
    make_of("a", "TencentBAC")
    merge_lineage(key="team:tencentbac", into="team:tencent", actor=None, reason="one company")
    entry = Entry.objects.get(action="results.lineage.merged")
    link = read(client, f"/log/{entry.pk}/").link("lineage team:tencentbac")
    assert client.get(link).status_code == 200


def test_invalid_input_keeps_what_was_typed():
    result, browser = make_of("a"), signed_in(editor())
    page = browser.post(f"/systems/{result.system.slug}/lineage/", JOIN | {"key": "taem:x"}).content.decode()
    assert "did you mean team?" in page
    assert 'value="taem:x"' in page
    assert "their model card" in page
    make_of("b", "y")
    page = browser.post("/lineages/decide/?key=team:y", {"decision": "merge", "reason": "why"}).content.decode()
    assert "Say which lineage it is." in page
    assert not LineageDecision.objects.exists()


def test_only_editors_decide(client):
    result = make_of("a", "x")
    decision = join_lineage(system=result.system, key="model:m", actor=None, reason="its name")
    addresses = [
        f"/systems/{result.system.slug}/lineage/",
        "/lineages/decide/?key=team:x",
        f"/lineages/decisions/{decision.pk}/take-back/",
    ]
    for address in addresses:
        assert client.post(address, JOIN).status_code == 302
        assert client.post(address, JOIN).url.startswith("/accounts/login/")
        assert signed_in().post(address, JOIN).status_code == 403
        assert signed_in(editor()).put(address).status_code == 405
    assert LineageDecision.objects.standing().count() == 1


def test_what_is_not_there_is_404():
    browser = signed_in(editor())
    for address in ("/systems/99/lineage/", "/lineages/decide/?key=team:x", "/lineages/decisions/99/take-back/"):
        assert browser.get(address).status_code == 404
