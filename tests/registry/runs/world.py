"""Collections with judgements, runs, and a worker, for tests of uploads."""

from registry.accounts.models import User
from registry.catalog.models import Collection, Leaderboard, Measure
from registry.core.models import Job
from registry.core.services import run_job
from registry.runs.models import Upload
from registry.runs.services.judging import put_judgements
from registry.runs.services.uploading import hand_in
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_results,
    make_user,
    make_variance,
)
from tests.registry.leaderboards.boards import analyse_again
from tests.registry.results.people import signed_in as signed_in

TOPICS = [f"t{number}" for number in range(1, 13)]
MEASURES = ("AP", "P@2", "RR@2", "nDCG@10")
QRELS = "".join(f"{topic} 0 good 2\n{topic} 0 fair 1\n{topic} 0 bad 0\n" for topic in TOPICS).encode()


#: Documents that are judged for every topic where judgements are sealed: the first ten are relevant.
POOLED = [f"judged-{number}" for number in range(40)]


def make_judged() -> Collection:
    """Make a collection of twelve topics under four measures, with judgements."""
    collection = make_collection(n_topics=len(TOPICS))
    for name in MEASURES:
        make_leaderboard(collection, Measure.objects.filter(name=name).first() or make_measure(name))
    put_judgements(collection=collection, content=QRELS, source="the track")
    return collection


def make_ranked() -> Leaderboard:
    """Make the same with a verdict on twelve results under nDCG@10."""
    board = make_judged().leaderboards.get(measure__name="nDCG@10")
    # The boards of means ask for more topics than these judgements have.
    Collection.objects.update(n_topics=50)
    make_results(board, [0.30 + 0.04 * number for number in range(12)])
    make_variance(board.measure, 0.02, board.collection)
    analyse_again(board)
    return board


def make_sealed(lines: str = "") -> Collection:
    """Make the same with sealed judgements under P@10: those of ``POOLED``, and further lines."""
    collection = make_judged()
    under = Measure.objects.filter(name="P@10").first() or make_measure("P@10")
    make_leaderboard(collection, under)
    judged = "".join(
        f"{topic} 0 {document} {int(number < 10)}\n" for topic in TOPICS for number, document in enumerate(POOLED)
    )
    put_judgements(collection=collection, content=(judged + lines).encode(), source="the owner", measure=under)
    return collection


def run_of(*documents: str, topics=TOPICS, tag: str = "mine") -> bytes:
    """Return a run that returns these documents in this order for every topic."""
    lines = [
        f"{topic} Q0 {document} {rank} {len(documents) - rank + 1}.5 {tag}\n"
        for topic in topics
        for rank, document in enumerate(documents, 1)
    ]
    return "".join(lines).encode()


def work() -> None:
    """Do what a worker does with all that waits."""
    for job in Job.objects.filter(state=Job.State.QUEUED, kind__startswith="runs."):
        run_job(str(job.pk))
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.error


def score(content: bytes, collection: Collection | None = None, owner: User | None = None, **options) -> Upload:
    """Score an upload."""
    owner = owner or make_user()
    upload = hand_in(owner=owner, name="mine", collection=collection or make_judged(), content=content, **options)
    work()
    return Upload.objects.get(pk=upload.pk)
