"""Collections of one's own: tables of scores without a leaderboard on record, and nobody else's business if private."""

from collections.abc import Iterable

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from registry.accounts.personal import SECTIONS
from registry.catalog.models import Collection, Leaderboard
from registry.runs.models import OwnCollection, OwnMeasure, Study, Upload, Work
from registry.runs.services.own_collections import add_measure
from tests.analysis.matrices import TOPIC_SCORES
from tests.registry.api.programs import Program
from tests.registry.factory import make_user
from tests.registry.pages import Page, page_of, read
from tests.registry.runs.world import QRELS, TOPICS, run_of, signed_in, work
from tests.thoroughness import every

SECRET = "Zanzibar claims"


def begin(client: Client, *, seen: str = "private", topics: str = "", name: str = SECRET, measure: str = "AP") -> str:
    """Begin a collection with a measure, and return its address."""
    answer = client.post("/runs/own/", {"name": name, "seen": seen, "topics": topics})
    assert answer.status_code == 302, page_of(answer).text
    added = client.post(f"{answer.url}measures/", {"name": measure, "low": "0", "high": "1"})
    assert added.status_code == 302, page_of(added).text
    return answer.url


def send(client: Client, address: str, content: bytes, name: str = "mine") -> Upload:
    """Send a table that is read, and have its board studied."""
    measure = OwnMeasure.objects.filter(collection=address.split("/")[3]).earliest("pk")
    sent = {"file": SimpleUploadedFile("t.csv", content), "measure": str(measure.pk), "name": name}
    answer = client.post(f"{address}tables/", sent)
    assert answer.status_code == 302, page_of(answer).text
    work()
    work()
    return Upload.objects.filter(own_measure=measure).latest("created_at")


def table(systems: dict[str, list[float | None]], topics: list[str] | None = None) -> bytes:
    topics = topics or [f"t{place}" for place in range(len(next(iter(systems.values()))))]
    rows = [",".join(["topic", *systems])]
    for topic, *cells in zip(topics, *systems.values(), strict=True):
        rows.append(",".join([topic, *("" if cell is None else f"{cell:.4f}" for cell in cells)]))
    return "\n".join(rows).encode()


def drawn(n_systems: int = 6, n_topics: int = 30, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    spread = np.linspace(0.2, 0.5, n_systems)[:, None]
    return np.clip(spread + rng.normal(0, 0.1, n_topics) + rng.normal(0, 0.08, (n_systems, n_topics)), 0, 1).round(4)


def of(scores: np.ndarray, prefix: str = "s") -> dict[str, list[float | None]]:
    return {f"{prefix}{place}": row.tolist() for place, row in enumerate(scores)}


def verdict(client: Client, address: str) -> tuple[Page, dict]:
    """Return the board's page, and what stands behind it."""
    board = read(client, address).link("The verdict")
    answer = client.get(f"{board.rstrip('/')}.json")
    return read(client, board), answer.json()["content"]


@pytest.mark.slow
def test_trec_7_without_a_leaderboard_on_record_has_the_whole_verdict():
    client = signed_in(make_user())
    address = begin(client)
    send(client, address, (TOPIC_SCORES / "unnamed" / "trec-7-adhoc__AP.csv").read_bytes())
    page, content = verdict(client, address)
    assert "0.363 ± 0.041" in page.text
    evidence = content["findings"]["verdict"]["evidence"]
    assert (evidence["residual_variance"], evidence["n_topics"]) == (pytest.approx(0.012229, abs=5e-7), 50)
    assert "seen by you alone" in page.text
    assert (Collection.objects.count(), Leaderboard.objects.count()) == (0, 0)


def test_the_second_of_two_clicks_finds_the_measure_added():
    """Both may have been found to name no measure of the collection before either is added."""
    begin(signed_in(make_user()))
    collection = OwnCollection.objects.get()
    facts = {"name": "Minutes", "low": 0.0, "high": None, "higher_is_better": False, "decimals": 4, "ir_measures": ""}
    assert add_measure(collection=collection, facts=facts) == add_measure(collection=collection, facts=facts)


def test_a_collection_begins_with_its_measures_or_not_at_all():
    client = signed_in(make_user())
    sent = {"name": SECRET, "seen": "private", "measures": "nDCG@10\n\n AP \nndcg@10"}
    refused = client.post("/runs/own/", sent)
    assert refused.status_code == 400
    assert "“ndcg@10”: The collection has this measure." in page_of(refused).text
    assert OwnCollection.objects.count() == 0
    begun = client.post("/runs/own/", sent | {"measures": "nDCG@10\n\n AP \n"})
    assert [heading[1] for heading in read(client, begun.url).headings[1:3]] == ["nDCG@10", "AP"]
    program = Program(make_user())
    both = program.ask("create_own_collection", "/api/v1/runs/own/", {"name": "x", "measures": ["P@10", "AP"]})
    assert [board["measure"] for board in both.json()["boards"]] == ["AP", "P@10"]


def test_a_table_in_parts_of_systems_and_of_topics_is_the_board_of_the_whole():
    client = signed_in(make_user())
    scores, topics = drawn(4, 40), [f"t{place}" for place in range(40)]
    whole, address = begin(client, name="Whole"), begin(client, name="In parts")
    refused = client.generic("POST", f"{address}tables/", b"", CONTENT_LENGTH="6000001")
    assert (refused.status_code, "You can send a table in parts" in page_of(refused).text) == (413, True)
    send(client, whole, table(of(scores), topics))
    first, other = of(scores[:2]), {"s2": scores[2].tolist(), "s3": scores[3].tolist()}
    for columns, some in ((first, slice(0, 25)), (other, slice(0, 25)), (first | other, slice(25, 40))):
        part = {name: column[some] for name, column in columns.items()}
        send(client, address, table(part, topics[some]), f"{some.start} {len(columns)}")
    (page, content), (_, expected) = verdict(client, address), verdict(client, whole)
    for document in (content, expected):
        del document["inputs"]["name"], document["inputs"]["topic_scores"]
    assert content == expected
    assert content["inputs"]["n_topics"] == 40
    # Each is compared with the others, corrected together, and as good within a margin.
    board = read(client, address).link("The verdict")
    page = read(client, f"{board}?first=s1&margin=0.5")
    assert "p corrected for 3 pairs (Holm), intervals not" in page.text
    assert page.row("s1 − s2")[1] in {"as good", "significantly different, by less than matters"}
    # What overlaps is no part, but another execution perhaps.
    send(client, address, table({"s0": scores[1].tolist()[:9]}, topics[:9]), "again")
    assert {"s0 (0 2)", "s0 (again)"} <= {row[0] for row in read(client, board).rows if row}


@pytest.fixture
def judged() -> tuple[Client, str]:
    """A collection under two measures with judgements of twelve topics."""
    client = signed_in(make_user())
    address = begin(client, measure="nDCG@10")
    client.post(f"{address}measures/", {"name": "Clicks", "low": "0", "high": "1"})
    put = client.post(f"{address}judgements/", {"file": SimpleUploadedFile("q", QRELS)})
    assert put.status_code == 302, page_of(put).text
    return client, address


def run(client: Client, address: str, content: bytes, name: str) -> Upload:
    answer = client.post(f"{address}runs/", {"file": SimpleUploadedFile("r.run", content), "name": name})
    assert answer.status_code == 302, page_of(answer).text
    work()
    work()
    return Upload.objects.get(name=name)


def test_runs_are_scored_against_its_judgements_and_enter_the_board_with_tables(judged):
    client, address = judged
    good = run(client, address, run_of("good", "fair"), "good")
    bad = run(client, address, run_of("bad", "good"), "bad")
    # Grades 2 and 1 in this order are ideal; the other run has the document of grade 2 at rank 2.
    ideal = 2 + 1 / np.log2(3)
    assert good.work.means == {"nDCG@10": pytest.approx(1.0)}
    assert bad.work.means == {"nDCG@10": pytest.approx(2 / np.log2(3) / ideal, abs=1e-6)}
    assert "Clicks" in read(client, bad.get_absolute_url()).text
    send(client, address, table({"theirs": [0.1 + place / 100 for place in range(12)]}, TOPICS))
    _, content = verdict(client, address)
    assert [row["system"] for row in content["inputs"]["rows"]] == ["good", "bad", "theirs"]
    assert content["inputs"]["n_topics"] == 12
    assert "3 tables and runs on" in read(client, address).text
    assert client.post(f"{bad.get_absolute_url()}delete/").status_code == 302
    work()
    _, content = verdict(client, address)
    assert [row["system"] for row in content["inputs"]["rows"]] == ["good", "theirs"]


def addresses(address: str, upload: Upload) -> list[str]:
    """Return everything that shows something of a private collection."""
    study, own = Study.objects.get(), upload.get_absolute_url()
    board = OwnMeasure.objects.get().get_absolute_url()
    return [
        *(address, board, f"{board.rstrip('/')}.json"),
        *(own, f"{own}progress/", f"{own}topic-scores.csv"),
        *(f"{own}studies/{study.pk}/", f"{own}studies/{study.pk}.json", f"{own}studies/{study.pk}/progress/"),
        *(f"/api/v1{address}", f"/api/v1{own}"),
    ]


def changes(address: str, upload: Upload) -> list[str]:
    """Return everything that changes something of it."""
    study, own = Study.objects.get(), upload.get_absolute_url()
    kinds = ("change", "measures", "tables", "runs", "judgements", "keep", "delete")
    of_collection = [f"{address}{what}/" for what in kinds]
    of_upload = [f"{own}{what}/" for what in ("keep", "delete", "studies", "documents", "record")]
    return [*of_collection, *of_upload, f"{own}studies/{study.pk}/delete/"]


#: Where people and programs look for what there is.
LISTS = (
    *("/", "/runs/", "/runs/own/", "/runs/own/public/", "/collections/", "/collections.json", "/log/", "/log.atom"),
    *("/search/?q=Zanzibar", "/search.json?q=Zanzibar", "/sitemap.xml", "/sitemap-1.xml", "/robots.txt"),
    *("/api/v1/runs/own/public/", "/api/v1/collections/", "/api/v1/search/?q=Zanzibar"),
)


def mentions(reader: Client, upload: Upload, lists: Iterable[str]) -> list[str]:
    """Return the lists that say something of the collection that the upload is on."""
    mentioned = []
    for path in lists:
        text = reader.get(path, follow=True).content.decode()
        if any(word in text for word in (SECRET, "hush", upload.pk, upload.own_collection_id)):
            mentioned.append(path)
    return mentioned


def test_a_private_collection_is_not_there_for_others():
    owner = make_user()
    client = signed_in(owner)
    address = begin(client)
    upload = send(client, address, table(of(drawn(), "hush")), "hush table")
    seen = addresses(address, upload)
    for path in seen:
        assert client.get(path).status_code == 200, path
    program = Program(owner)
    assert program.ask("get_run", seen[-1]).json()["own_collection"] == address
    assert Program(owner, scopes=["submit"]).ask("get_run", seen[-1]).status_code == 403
    for nobody in (Program(), Program(scopes=["submit"])):
        assert nobody.ask("get_run", seen[-1]).status_code == 404
    assert Client().get(seen[-1], headers={"authorization": "Bearer plumb_none"}).status_code == 401
    for place, other in enumerate((Client(), signed_in(make_user()), signed_in(make_user(is_editor=True)))):
        for path in every(2, seen, __file__, start=place) if place else seen:
            answer = other.get(path)
            assert answer.status_code == 404, path
            assert not any(word in answer.content.decode() for word in (SECRET, "hush")), path
        assert mentions(other, upload, every(3, LISTS, __file__, start=place)) == []
    other = signed_in(make_user())
    for path in changes(address, upload):
        answer = other.post(path, {"name": "x", "seen": "unlisted"})
        assert answer.status_code == 404, path
    assert OwnCollection.objects.get().visibility == "private"
    assert other.delete(f"/api/v1{upload.get_absolute_url()}").status_code in (401, 403, 404)
    assert Upload.objects.count() == 1


def test_an_unlisted_collection_is_seen_by_its_address_and_changed_by_its_owner_alone():
    client = signed_in(make_user())
    address = begin(client, seen="unlisted")
    upload = send(client, address, table(of(drawn())))
    for other in (Client(), signed_in(make_user())):
        for path in addresses(address, upload):
            answer = other.get(path)
            assert answer.status_code == 200, path
            assert answer["X-Robots-Tag"] == "noindex, nofollow", path
            assert "no-store" in answer["Cache-Control"], path
        page = read(other, address)
        assert "Send a table" not in page.text
        assert SECRET in page.text
    other = signed_in(make_user())
    for path in changes(address, upload)[:7]:
        assert other.post(path, {}).status_code == 403, path
    assert Client().post(f"{address}delete/").status_code == 403, "asked to sign in"
    assert OwnCollection.objects.count() == 1


def test_the_export_has_it_and_the_deletion_of_the_account_erases_it():
    owner = make_user()
    client = signed_in(owner)
    send(client, begin(client, topics="t0\nt1\nt2"), table(of(drawn())))
    export = {section.name: section.export(owner) for section in SECTIONS}
    (collection,) = export["own_collections"]
    assert (collection["name"], collection["measures"], collection["topics"]) == (SECRET, ["AP"], ["t0", "t1", "t2"])
    assert export["uploads"][0]["collection"] == SECRET
    for section in SECTIONS:
        if section.erase:
            section.erase(owner)
    assert [model.objects.count() for model in (OwnCollection, OwnMeasure, Upload, Study, Work)] == [0] * 5


def test_a_measure_that_comes_later_scores_the_runs_that_are_there(judged):
    client, address = judged
    good = run(client, address, run_of("fair", "good"), "good")
    report = good.work.report
    assert client.post(f"{address}measures/", {"name": "RR@1", "low": "0", "high": "1"}).status_code == 302
    assert client.post(f"{address}measures/", {"name": "P@1", "low": "0", "high": "1"}).status_code == 302
    assert "Not scored under it: good" in read(client, address).text
    work()
    work()
    again = Upload.objects.get(pk=good.pk).work
    assert again.means == good.work.means | {"RR@1": 1.0, "P@1": 1.0}
    assert again.report == report
    page = read(client, address)
    assert "Not scored" not in page.text
    boards = Program(OwnCollection.objects.get().owner).ask("get_own_collection", f"/api/v1{address}").json()["boards"]
    assert {row["measure"]: row["n_entries"] for row in boards} == {"Clicks": 0, "P@1": 1, "RR@1": 1, "nDCG@10": 1}
    assert Work.objects.count() == 1


def test_a_measure_that_nobody_knows_is_refused_without_a_range():
    client = signed_in(make_user())
    address = begin(client, measure="nDCG@10")
    answer = client.post(f"{address}measures/", {"name": "nDGC@10"})
    assert (answer.status_code, answer.context["collection"].measures.count()) == (400, 1)
    assert "“nDGC@10” is no measure that is known here, as nDCG@10 is." in answer.content.decode()
    assert client.post(f"{address}measures/", {"name": "seconds", "low": "0", "better": "less"}).status_code == 302
