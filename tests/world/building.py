"""One small registry with something of every kind, built through the services from ``data/`` beside this file.

Three people: ada submits and looks after one collection, grace edits, curt administers.
Days are fixed, and so is what is drawn.
"""

import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import time_machine
from django.core.management import call_command
from django.db import connection
from django.db.models import F

from registry.accounts.models import User
from registry.accounts.services import create_token
from registry.catalog.models import Collection, Leaderboard
from registry.catalog.services import appoint_curator
from registry.core.loading import load_shipped_data
from registry.journal.models import Entry
from registry.leaderboards.models import Snapshot
from registry.results.models import CorrectionRequest, Paper, Result, System
from registry.results.services.corrections import (
    accept_correction,
    confirm_result,
    decline_correction,
    request_correction,
)
from registry.results.services.endings import supersede_result, withdraw_result
from registry.results.services.merging import merge_systems, rename_system
from registry.results.services.papers import correct_paper
from registry.runs.models import OwnCollection, Study, Upload
from registry.runs.services import own_collections
from registry.runs.services.judging import put_judgements
from registry.runs.services.studying import ask_for_document_study, ask_for_study
from registry.runs.services.uploading import hand_in, hand_in_table, keep
from registry.submissions.models import Submission
from registry.submissions.services import reviewing
from registry.submissions.services.drafting import create_submission, submit
from registry.tools.home import answer_examples
from registry.tools.models import Resolution, TopicStudy
from registry.tools.pairs.services import study_leaderboard
from registry.tools.resolution.services import study_collection
from tests.registry.accounts.people import make_administrator, make_person
from tests.registry.keeping import kept_on_record
from tests.registry.runs.world import work

DATA = Path(__file__).with_name("data")
#: When the files are loaded, and when the pages are read.
BEGINNING, TODAY = datetime(2026, 3, 2, 9, tzinfo=UTC), datetime(2026, 3, 20, 12, tzinfo=UTC)
_SEED = 2811

#: What is judged of the twelve topics of "abstracts": one document in eight is highly relevant, two are relevant.
QRELS = "".join(
    f"t{topic} 0 d{topic}-{document} {(2, 1, 1, 0, 0, 0, 0, 0)[document - 1]}\n"
    for topic in range(1, 13)
    for document in range(1, 9)
)
#: A run that misses a topic, and returns documents that nobody judged.
RUN = "".join(
    f"t{topic} Q0 d{topic}-{document} {rank} {20 - rank} ours\n"
    for topic in range(1, 12)
    for rank, document in enumerate([4, 1, 12, 2, 5, 3, 9, 10][: 8 - topic % 3], 1)
)

#: Rows of submissions: one that is new, one of another score than the record's, one in percent, and refused ones.
NEW = {
    "collection": "news",
    "measure": "AP",
    "system": "AdaRank",
    "value": "0.3401",
    "role": "proposed",
    "paper": "Ada (SIGIR 2025)",
    "locator": "Table 2",
    "year": "2025",
}
OTHER = NEW | {"system": "run1", "value": "0.3300", "role": "baseline", "team": "Aster"}
PERCENT = NEW | {"system": "AdaRank, tuned", "value": "34.9", "unit": "percent"}
REFUSED = NEW | {"collection": "W19", "measure": "MRR", "value": "1.4x"}
APART = NEW | {"system": "AdaRank, much better", "value": "0.6120"}


@contextmanager
def fixed_world() -> Iterator["Clock"]:
    """Yield a clock that stands, and random bytes that are the same each time."""
    drawn = random.Random(_SEED)
    sources = os.urandom, random._urandom  # type: ignore[attr-defined]
    os.urandom = random._urandom = drawn.randbytes  # type: ignore[attr-defined]
    try:
        with time_machine.travel(BEGINNING, tick=False) as traveller:
            yield Clock(traveller)
    finally:
        os.urandom, random._urandom = sources  # type: ignore[attr-defined]


class Clock:
    """Days of the world."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        self.traveller = traveller

    def on(self, day: int) -> None:
        """Move to noon of a day after the beginning."""
        self.traveller.move_to(BEGINNING + timedelta(days=day, hours=3))

    def today(self) -> None:
        """Move to the day on which pages are read."""
        self.traveller.move_to(TODAY)


@contextmanager
def world_on_record(blocker: Any, clock: Clock) -> Iterator[None]:
    """Put the world on record for what is within: built, or as another process that tries faults built it."""
    built_world = os.environ.get("PLUMBLINE_BUILT_WORLD", "")
    if built_world and Path(built_world).exists():
        with blocker.unblock(), closing(sqlite3.connect(built_world)) as built:
            connection.ensure_connection()
            built.backup(connection.connection)
        clock.today()
        yield
        return
    with kept_on_record(blocker, lambda: build_world(clock)):
        if built_world:
            with blocker.unblock():
                Path(built_world).write_bytes(connection.connection.serialize())
        yield


def build_world(clock: Clock) -> None:
    """Fill an empty database; its rows are numbered from 1 on."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM sqlite_sequence")
    for report in load_shipped_data(directory=DATA):
        assert not report.refused, list(report.rejections)
    for step in (_people, _record, _analyse, _submissions, _changes, _runs, _analyse):
        clock.on(_STEPS[step])
        step()
    clock.today()
    call_command("recompute", processes=1, verbosity=0)
    call_command("index_search", verbosity=0)
    # The database has set it, by a clock of its own.
    Leaderboard.objects.update(results_changed_at=TODAY)
    call_command("export_dump", verbosity=0)


def _people() -> None:
    ada = make_person("ada", full_name="Ada Author")
    grace = make_person("grace", full_name="Grace Editor", is_editor=True)
    make_administrator("curt", full_name="Curt Keeper")
    collection = Collection.objects.get(slug="quill-law")
    appoint_curator(collection=collection, user=ada, actor=grace, reason="wrote its paper")
    create_token(user=ada, name="laptop", scopes=["read"], days=30)


def _record() -> None:
    """Make results that are confirmed, and papers of which something is said."""
    grace, ada = _person("grace"), _person("ada")
    result = _result("news", "method 2006")
    confirm_result(result=result, user=ada, kind="second_transcription", printed=result.printed)
    first = Paper.objects.filter(cite__startswith="Author").earliest("pk")
    correct_paper(paper=first, retraction="retracted", actor=grace, reason="its publisher says so")


def _analyse() -> None:
    call_command("recompute", processes=1, verbosity=0)
    for collection in ("alpha", "abstracts"):
        Resolution.keep(study_collection(Collection.objects.get(slug=collection).pk))
    for board in Leaderboard.objects.filter(collection__slug="alpha", results_version__gt=0):
        TopicStudy.keep(study_leaderboard(board.pk))
    answer_examples()


def _submissions() -> None:
    """Make one in every state."""
    ada, grace = _person("ada"), _person("grace")

    def put(*rows: dict[str, str], note: str) -> Submission:
        return create_submission(contributor=ada, rows=rows, way="table", note=note)

    def send(*rows: dict[str, str], note: str) -> Submission:
        draft = put(*rows, note=note)
        return submit(submission=draft, version=draft.version, actor=ada)

    draft = put(NEW, OTHER, PERCENT, REFUSED, note="draft with a row of every kind")
    published = send(NEW, PERCENT, note="published")
    reviewing.publish_submission(submission=published, version=published.version, actor=grace)
    submitted = send(APART, note="waits")
    reviewing.add_comment(submission=submitted, author=ada, text="It is the test set.")
    reviewed = send(NEW | {"system": "AdaRank, smaller"}, note="review is under way")
    reviewing.start_review(submission=reviewed, version=reviewed.version, actor=grace)
    returned = send(NEW | {"system": "AdaRank, larger"}, note="returned")
    reviewing.return_submission(submission=returned, version=returned.version, actor=grace, reason="Which table?")
    refused = send(NEW | {"system": "AdaRank, again"}, note="refused")
    reviewing.refuse_submission(submission=refused, version=refused.version, actor=grace, reason="No such paper.")
    # The clock stands, and lists go by these moments.
    for minute, submission in enumerate((draft, published, submitted, reviewed, returned, refused)):
        later = timedelta(minutes=minute)
        Submission.objects.filter(pk=submission.pk).update(
            created_at=F("created_at") + later, submitted_at=F("submitted_at") + later
        )


def _changes() -> None:
    """Make results that ended, requests to correct some, names that were merged and changed."""
    ada, grace = _person("ada"), _person("grace")
    withdraw_result(result=_result("news", "method 2012"), actor=grace, reason="not what the paper prints")
    changes = {"printed": "0.3150"}
    supersede_result(result=_result("news", "method 2013"), changes=changes, actor=grace, reason="erratum")
    accepted = request_correction(
        result=_result("news", "method 2014"), requester=ada, kind="correct", reason="a typo", proposed_printed="0.3222"
    )
    accept_correction(request=accepted, actor=grace, reason="so it is", printed="0.3222")
    declined = request_correction(
        result=_result("quill-law", "birch-embed-base"), requester=ada, kind="dispute", reason="it is too good"
    )
    decline_correction(request=declined, actor=grace, reason="this alone is no reason")
    request_correction(
        result=_result("news", "method 2015"), requester=ada, kind="correct", reason="Table 3", proposed_printed="0.33"
    )
    merge_systems(source=_system("subset run"), target=_system("method 2017"), actor=grace, reason="the same system")
    rename_system(system=_system("a5"), name="a5 (ebony)", team="Ebony", actor=grace, reason="as the paper calls it")


def _runs() -> None:
    """Make judgements; what ada sent to be scored, with studies of it; a collection of her own."""
    ada, collection = _person("ada"), Collection.objects.get(slug="abstracts")
    put_judgements(collection=collection, content=QRELS.encode(), source="the track")
    upload = hand_in(owner=ada, name="ours", collection=collection, content=RUN.encode())
    keep(upload=upload, owner=ada, until=TODAY + timedelta(days=30))
    work()
    board = Leaderboard.objects.get(collection=collection, measure__name="AP")
    ask_for_study(upload=upload, others=[], leaderboard=board, is_alone=False)
    ask_for_document_study(upload=upload, leaderboard=board)
    own = own_collections.begin(owner=ada, name="our own topics", visibility="public", topics=[])
    own_collections.keep_collection(collection=own, until=TODAY + timedelta(days=30))
    measure = own_collections.add_measure(
        collection=own, facts={"name": "AP", "ir_measures": "AP", "low": 0, "high": 1}
    )
    table = ["topic,first,second,third"]
    table += [f"q{topic},0.{30 + topic % 7},0.{26 + topic % 5},0.{12 + topic % 3}" for topic in range(30)]
    hand_in_table(name="three systems", measure=measure, content="\n".join(table).encode())
    work()
    work()


#: On which day each happens; analyses follow what happened last.
_STEPS: dict[Callable[[], None], int] = {_people: 0, _record: 1, _analyse: 2, _submissions: 4, _changes: 7, _runs: 15}


def _person(name: str) -> User:
    return User.objects.get(username=name)


def _system(name: str) -> System:
    return System.objects.get(name=name, merged_into=None)


def _result(collection: str, system: str) -> Result:
    """Return the standing result of a system on the first leaderboard of a collection."""
    return (
        Result.objects.standing().filter(leaderboard__collection__slug=collection, system__name=system).earliest("pk")
    )


def things() -> dict[str, str]:
    """Return what stands in addresses in place of a name in braces."""
    submissions = Submission.objects.order_by("created_at", "pk")
    papers = Paper.objects.filter(cite__startswith="Author").order_by("pk")
    board = Leaderboard.objects.get(collection__slug="news", measure__name="AP")
    snapshots = Snapshot.objects.filter(leaderboard=board).order_by("created_at")
    of_news = Result.objects.filter(leaderboard__collection__slug="news").order_by("pk")
    news = {"best": "method 2018", "superseded": "method 2013", "corrected": "method 2014", "disputed": "method 2015"}
    by_name = {
        **{submission.note.split()[0]: submission.pk for submission in submissions},
        **{key: of_news.filter(system__name=name)[0].pk for key, name in (news | {"withdrawn": "method 2012"}).items()},
        "confirmed": _result("news", "method 2006").pk,
        "aside": _result("quill-arguments", "elm-embed-large").pk,
        "topics": _result("alpha", "north-1").pk,
        "paper": papers[1].slug,
        "retracted": papers[0].slug,
        "snapshot": snapshots[len(snapshots) - 1].pk,
        "earlier": snapshots[0].pk,
        "scored": Snapshot.objects.filter(leaderboard__collection__slug="alpha").latest("created_at").pk,
        "suite": Snapshot.objects.filter(suite__isnull=False).latest("created_at").pk,
        "upload": Upload.objects.get(name="ours").pk,
        "study": Study.objects.get(kind="board", upload__name="ours").pk,
        "documents": Study.objects.get(kind="documents").pk,
        "own": OwnCollection.objects.get().pk,
        "request": CorrectionRequest.objects.open().get().pk,
        "merged_system": System.objects.get(name="subset run").slug,
        "corrected_system": _system("method 2014").slug,
        "merged": Entry.objects.filter(action="results.system.merged").earliest("pk").pk,
        "loaded": Entry.objects.filter(action="results.file.loaded").earliest("pk").pk,
    }
    return {key: str(value) for key, value in by_name.items()}
