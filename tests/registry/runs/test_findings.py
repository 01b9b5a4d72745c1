"""Which collection a run is on, what studies of documents settle and combine, and of what figures are drawn."""

import json
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from analysis.runs.reading import Unreadable
from registry.runs import recognizing, studies
from registry.runs.models import Judgements, Study, Upload, Work
from registry.runs.pipeline.spawning import Stopped
from registry.runs.recognizing import Fit, recognize
from registry.runs.services.judging import put_judgements, put_own_judgements
from registry.runs.studies import Found, boards_of, comparable_with
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
