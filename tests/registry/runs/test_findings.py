"""Which collection a run is on, what studies of documents settle and combine, and of what figures are drawn."""

import json
from datetime import timedelta
from types import SimpleNamespace

import msgspec
import pytest
from django.utils import timezone

from analysis.comparisons import meta_analysis
from analysis.scores import Judgements as Judged
from registry.runs import findings, recognizing, studies
from registry.runs.findings import OnCollection, across_collections
from registry.runs.models import Judgements, Study, Upload, Work
from registry.runs.pipeline.precision import (
    NO_ERROR,
    document_study,
    run_of,
)
from registry.runs.pipeline.reading import Unreadable
from registry.runs.pipeline.spawning import Stopped
from registry.runs.recognizing import Fit, recognize
from registry.runs.services.judging import put_judgements, put_own_judgements
from registry.runs.studies import Found, boards_of, comparable_with, name_of, sent_of
from tests.registry.factory import make_collection, make_leaderboard, make_measure, make_user
from tests.registry.runs.rows import make_judgements, make_own, make_study, make_upload, make_work

pytestmark = pytest.mark.django_db
SECONDS = 0.5


@pytest.fixture
def answered(monkeypatch):
    """What a child answers of the topics of a run."""
    topics: dict[str, list[str]] = {}
    monkeypatch.setattr(
        recognizing, "do_in_child", lambda order: {"topics": topics, "seconds": SECONDS, "asked": order.kind}
    )
    return topics


def judged(*lines: str, slug: str = "", **fields) -> Judgements:
    content = "".join(f"{line}\n" for line in lines).encode()
    kept = put_judgements(collection=make_collection(slug), content=content, source="s")
    Judgements.objects.filter(pk=kept.pk).update(**fields)
    return kept


def test_a_run_is_recognized_by_its_topics_and_documents(answered):
    answered.update({"t1": ["a", "b"], "t2": ["a", "c"]})
    both = judged("t1 0 a 1", "t2 0 a 0", "t3 0 z 1", slug="both")
    half = judged("t1 0 a 1", "t1 0 b 1", slug="half")
    judged("t1 0 z 1", "t2 0 z 0", slug="other-documents")
    judged("t3 0 a 1", "t4 0 b 1", slug="other-topics")
    judged("t1 0 a 1", "t2 0 a 0", slug="sealed", is_sealed=True)
    judged("t1 0 a 1", "t2 0 a 0", slug="over", ended_at=timezone.now())
    own = make_own("AP")
    put_own_judgements(collection=own, content=b"t1 0 a 1\nt2 0 a 1\n")
    found = recognize(b"")
    # Two of three topics, times two of four documents; one of two topics, times both of its documents.
    assert found.fits == (Fit(half.collection, 1, 1, pytest.approx(1 / 2)),)
    assert found.seconds == SECONDS
    half.delete()
    assert recognize(b"").fits == (Fit(both.collection, 3, 2, pytest.approx(1 / 3)),)
    both.delete()
    assert recognize(b"").fits == ()


def test_boards_under_a_kind_of_average_precision(django_assert_num_queries):
    collection, other = make_collection(), make_collection()
    boards = {}
    for name, spelled in (("Precision", "AP"), ("AP(rel=2)", "AP(rel=2)"), ("P@5", "P@5")):
        measure = make_measure(name, ir_measures=spelled)
        boards[name] = make_leaderboard(collection, measure)
        make_leaderboard(other, measure)
    judgements = make_judgements(collection)
    spelled = {name: board.measure.ir_measures for name, board in boards.items()}
    work = make_work({"AP": [0.5]}, topics=["t1"], judgements=judgements, rankings={"t1": "a"}, measures=spelled)
    upload = make_upload(work, collection=collection)
    with django_assert_num_queries(2):
        assert list(boards_of(upload).items()) == [(name, boards[name]) for name in ("AP(rel=2)", "Precision")]
    judgements.is_sealed = True
    assert boards_of(Upload(work=Work(judgements=judgements, measures=spelled))) == {}
    assert boards_of(Upload(work=Work(measures=spelled))) == {}
    judgements.is_sealed = False
    work.rankings = b""
    work.save()
    assert boards_of(upload) == {}
    own = make_own("AP", "P@5", "RR")
    put_own_judgements(collection=own, content=b"t1 0 a 1\n")
    mine = make_work({"AP": [0.5], "P@5": [0.2]}, topics=["t1"], judgements=own.judgements.get(), rankings={"t1": "a"})
    assert list(boards_of(make_upload(mine, own_collection=own))) == ["AP"]


def test_runs_are_compared_with_those_whose_documents_are_kept():
    owner, collection = make_user(), make_collection()
    judgements = make_judgements(collection)
    ranked = {"judgements": judgements, "rankings": {"t1": "a"}}
    mine, other = (make_upload(make_work(**ranked), owner=owner, collection=collection) for _ in range(2))
    make_upload(make_work(judgements=judgements), owner=owner)
    make_upload(mine.work, owner=owner)
    over = make_upload(make_work(**ranked), owner=owner)
    Upload.objects.filter(pk=over.pk).update(forgotten_at=timezone.now(), created_at=timezone.now() - timedelta(days=1))
    assert comparable_with(mine) == {other.pk: other}


@pytest.fixture
def asked(monkeypatch) -> SimpleNamespace:
    """A study of documents of two runs, and what a child is asked of it."""
    collection = make_collection()
    board = make_leaderboard(collection, make_measure("AP"))
    judgements = put_judgements(collection=collection, content=b"t1 0 a 1\n", source="s")
    one, other = (make_upload(make_work({"AP": [0.5]}, topics=["t1"], judgements=judgements, rankings={"t1": text}),
                              collection=collection) for text in ("a b", "b a"))  # fmt: skip
    noted = SimpleNamespace(study=make_study(one, board, kind="documents", others=[other.pk]), orders=[], error=None)

    def do_in_child(order, *, tell, is_wanted):
        noted.orders.append((order, is_wanted()))
        tell(7)
        tell(4)
        if noted.error:
            raise noted.error
        return {"content": "found"}

    monkeypatch.setattr(studies, "do_in_child", do_in_child)
    return noted


def test_a_study_of_documents_is_made_of_what_is_kept(asked):
    study = asked.study
    assert studies.study(study.pk) == Found(study.digest, "found")
    ((order, is_wanted),) = asked.orders
    assert (order.kind, order.judgements, is_wanted) == ("documents", b"t1 0 a 1\n", True)
    assert json.loads(order.content) == {"runs": [{"t1": "a b"}, {"t1": "b a"}], "grade": 1, "depth": 1_000_000}
    study.refresh_from_db()
    assert study.n_done == 7
    assert studies.study(study.pk + 1000) is None
    known = make_study(make_upload(), digest=study.digest, state="done", content="known")
    assert studies.study(study.pk) == Found(study.digest, "known", "")
    known.delete()
    for error, found in ((Stopped(), None), (Unreadable("x" * 400), Found(study.digest, obstacle="x" * 300))):
        asked.error = error
        assert studies.study(study.pk) == found
    gone = Found(study.digest, obstacle="a run of it is no longer kept")
    Work.objects.filter(uploads=study.others[0]).update(rankings=b"")
    assert studies.study(study.pk) == gone
    Upload.objects.filter(pk=study.others[0]).delete()
    assert studies.study(study.pk) == gone
    Study.objects.filter(pk=study.pk).update(others=[], leaderboard=make_leaderboard(measure=make_measure("P@5")))
    assert studies.study(study.pk) == gone
    Study.objects.filter(pk=study.pk).update(state="done")
    assert studies.study(study.pk) is None


RUN = {"t1": "a b c d", "t2": "c a"}
JUDGED = {"t1": {"a": 2, "c": 1, "e": 2}, "t2": {"a": 2, "b": 1}, "t3": {"a": 0}}


def pair_of(estimate: float, error: float, n_topics: int = 12) -> str:
    """The content of a study whose pair differs so."""
    study = document_study(run_of(RUN), run_of({"t1": "b a", "t2": "a"}), judgements=Judged(JUDGED), grade=1, depth=9,
                           tell=lambda *_: None)  # fmt: skip
    content = msgspec.to_builtins(study)
    content["pair"]["logit"] |= {"estimate": estimate, "standard_error": error}
    content["pair"]["topics"] = [f"t{place}" for place in range(n_topics)]
    return json.dumps(content)


def test_two_systems_are_combined_over_the_collections_of_their_owner():
    owner, measure = make_user(), make_measure("AP")

    def studied(first: str, second: str, content: str, board=None, **fields) -> Study:
        board = board or make_leaderboard(make_collection(), measure)
        sender = fields.pop("owner", owner)
        one, other = (
            make_upload(make_work(), owner=sender, collection=board.collection, name=name) for name in (first, second)
        )
        others = fields.pop("others", [other.pk])
        return make_study(one, board, kind="documents", others=others, content=content,
                          **({"state": "done"} | fields))  # fmt: skip

    here = studied("A", "B", pair_of(0.5, 0.1))
    assert across_collections(here) is None
    turned = studied("B", "A", pair_of(-0.3, 0.2, n_topics=3))
    content = pair_of(9.0, 0.1)
    studied("A", "C", content)
    again = studied("A", "B", content, board=here.leaderboard)
    studied("A", "B", content, owner=make_user())
    studied("A", "B", content, state="waiting")
    studied("A", "B", "", obstacle="too long")
    studied("A", "B", content, others=[])
    studied("A", "B", content, board=make_leaderboard())
    over = studied("A", "B", content)
    Upload.objects.filter(pk=over.upload_id).update(
        forgotten_at=timezone.now(), created_at=timezone.now() - timedelta(days=1)
    )
    found = across_collections(Study.objects.get(pk=here.pk))
    assert found.rows == (
        OnCollection(here.board.collection.name, here.get_absolute_url(), 12, 0.5, 0.1),
        OnCollection(turned.board.collection.name, turned.get_absolute_url(), 3, 0.3, 0.2),
    )
    assert found.n_without_error == 0
    assert found.combined == meta_analysis([0.5, 0.3], [0.1, 0.2])
    still = studied("A", "B", pair_of(0.0, NO_ERROR))
    found = across_collections(Study.objects.get(pk=turned.pk))
    # Of two studies on one collection the later one counts.
    assert {row.url for row in found.rows} == {one.get_absolute_url() for one in (again, turned, still)}
    assert found.rows[0].difference == -0.3
    assert {row.difference for row in found.rows[1:]} == {-9.0, -0.0}
    assert (found.n_without_error, found.combined.n_effects) == (1, 2)
    here.upload.name = "B"
    assert across_collections(here) is None


def evidence(kind: str, n_systems: int | None = 5, n_topics: int | None = 50) -> SimpleNamespace:
    return SimpleNamespace(kind=kind, n_systems=n_systems, n_topics=n_topics, residual_variance=0.02,
                           degrees_of_freedom=9.0)  # fmt: skip


@pytest.mark.parametrize(
    ("study", "before", "after", "is_settled"),
    [
        ({}, evidence("none"), evidence("own-variance"), True),
        ({}, evidence("none"), evidence("own-and-predicted", 4), True),
        ({}, evidence("none"), evidence("own-topics"), True),
        ({}, evidence("none"), evidence("predicted"), False),
        ({}, evidence("none"), evidence("own-variance", None), False),
        ({}, evidence("none"), evidence("own-variance", 5, None), False),
        ({}, evidence("own-variance"), evidence("own-variance"), False),
        ({"is_alone": True}, evidence("none"), evidence("own-variance"), False),
        ({"leaderboard_id": None}, evidence("none"), evidence("own-variance"), False),
        ({"content": ""}, evidence("none"), evidence("own-variance"), False),
        ({"leaderboard_id": 8}, evidence("none"), evidence("own-variance"), False),
    ],
)
def test_what_uploads_settle_of_a_leaderboard(monkeypatch, study, before, after, is_settled):
    def verdict(found, of_set):
        return SimpleNamespace(verdict=SimpleNamespace(evidence=found, shown=SimpleNamespace(set=of_set)))

    margin = SimpleNamespace(margin=0.05, n_members=3)
    monkeypatch.setattr(
        findings,
        "read_stored",
        lambda pks: {7: SimpleNamespace(findings=verdict(before, None))} if 7 in pks else {},
    )
    monkeypatch.setattr(findings, "read_snapshot", lambda text: SimpleNamespace(findings=verdict(after, margin)))
    found = findings.settled_by(Study(**({"is_alone": False, "leaderboard_id": 7, "content": "x"} | study)))
    assert (found is not None) == is_settled
    if found:
        assert (found.n_systems, found.n_topics, found.is_enough) == (after.n_systems, 50, after.n_systems == 5)
        assert found.before == findings.Band("none", 0.02, 9.0, None, None)
        assert found.after == findings.Band(after.kind, 0.02, 9.0, 0.05, 3)


def test_what_figures_are_drawn_of():
    collection = make_collection(name="Robust")
    board = make_leaderboard(collection, make_measure("AP", higher_is_better=False))
    judgements = put_judgements(collection=collection, content=b"t1 0 a 2\nt2 0 a 1\n", source="s")
    scores = {"AP": [0.1, 0.3], "P@5": [0.2, 0.4]}
    measures = {"P@5": "P@5", "AP": "AP(rel=2)"}
    one = make_upload(make_work(scores, judgements=judgements, measures=measures,
                                rankings={"t1": "a b", "t2": "a b c"}), collection=collection, name="one")  # fmt: skip
    two = make_upload(make_work({"AP": [0.5, 0.5]}, judgements=judgements, rankings={"t1": "b"}, measures={"x": "RR"}),
                      collection=collection, name="two")  # fmt: skip
    table = make_upload(make_work({"a": [0.1, 0.2]}, kind="matrix"), collection=collection, name="table")
    unranked = make_upload(make_work(scores, judgements=judgements), collection=collection, name="unranked")
    study = make_study(one, board, others=[two.pk, table.pk, unranked.pk])
    found = sent_of(study)
    assert (found.name, found.measure, found.higher_is_better) == ("one and 3 more on Robust", "AP", False)
    assert {name: matrix.systems for name, matrix in found.matrices.items()} == {
        "AP": ("one", "two", "a", "unranked"), "P@5": ("one", "unranked"),
    }  # fmt: skip
    assert [(run.collection, run.system, run.depth, run.grade) for run in found.runs] == [
        ("Robust", "one", 3, 2), ("Robust", "two", 1, 1),
    ]  # fmt: skip
    assert found.runs[0].judgements is found.runs[1].judgements
    assert found.runs[0].judgements.grades == {"t1": {"a": 2}, "t2": {"a": 1}}
    assert name_of(study, [one]) == "one on Robust"
    assert name_of(study, [one, two]) == "one and two on Robust"
    assert name_of(study, [one, two, table]) == "one and 2 more on Robust"
    own = make_own("AP", name="Mine")
    on_own = make_study(make_upload(own_collection=own), own_measure=own.measures.get())
    assert name_of(on_own, [one]) == "Mine"
    Judgements.objects.filter(pk=judgements.pk).update(is_sealed=True)
    assert sent_of(Study.objects.get(pk=study.pk)).runs == []
    assert studies.study(study.pk + 1000) is None
    Study.objects.filter(pk=study.pk).update(state="done")
    assert studies.study(study.pk) is None
