"""A repository of results is read again: what is new, changed and gone, decided on by an editor, known by lines."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.messages import get_messages
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.readers.upstream.scores import Score, Upstream, base_name
from registry.catalog.models import Leaderboard
from registry.journal.models import Entry
from registry.results.models import Result, Source
from registry.results.services import mass_changes
from registry.results.services.endings import withdraw_result
from registry.results.services.mass_changes import MassChange
from registry.submissions.models import UpstreamUpdate
from registry.submissions.pipeline.upstream import Changed, Comparison, compare
from registry.submissions.services.upstream import (
    apply_update,
    drop_update,
    keep_update,
    read_content,
    read_upstream,
)
from registry.submissions.views import moderation
from tests.registry.factory import (
    make_collection,
    make_leaderboard,
    make_measure,
    make_paper,
    make_result,
    make_system,
)
from tests.registry.leaderboards.boards import analyse
from tests.registry.pages import page_of
from tests.registry.results.people import editor, signed_in

pytestmark = pytest.mark.django_db

FILE = "pyserini/2cr/toys.yaml"


def listed(*conditions: tuple[str, dict[str, dict[str, str]]]) -> str:
    """A list as Pyserini keeps it: conditions, the data sets of each, their scores."""
    lines = ["conditions:"]
    for name, datasets in conditions:
        lines += [f"  - name: {name}", "    command: python -m search", "    datasets:"]
        for dataset, scores in datasets.items():
            lines += [f"      - dataset: {dataset}", "        scores:"]
            lines += [f"          {'-' if at == 0 else ' '} {one}: {n}" for at, (one, n) in enumerate(scores.items())]
    return "\n".join(lines) + "\n"


class Repository:
    """A git repository of our own, in the layout of Pyserini."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._git("init", "-q")

    def commit(self, **files: str) -> str:
        """The commit of these files, by their paths with dots for underscores and slashes for double ones."""
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_yaml", ".yaml")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self._git("add", "-A")
        self._git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "Scores")
        return self._git("rev-parse", "HEAD").strip()

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.folder), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


FIRST = listed(
    ("bm25", {"apples": {"nDCG@10": "0.3000", "R@100": "0.8000"}, "pears": {"nDCG@10": "0.5000"}}),
    ("dense", {"apples": {"nDCG@10": "0.4000"}}),
)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The record holds what a repository prints at its first commit."""
    found = Repository(tmp_path)
    first = found.commit(pyserini__2cr__toys_yaml=FIRST)
    Source.objects.create(name="castorini/pyserini", what="Scores", state=first[:10], address="https://example.org/")
    ndcg, recall = make_measure("nDCG@10"), make_measure("R@100")
    for slug in ("fruit-apples", "fruit-pears"):
        collection = make_collection(slug, n_topics=50)
        make_leaderboard(collection, ndcg)
        make_leaderboard(collection, recall)
    lines = ["collection,measure,system,value,role,team,source,locator"]
    for slug, measure, system, line in (
        ("fruit-apples", "nDCG@10", "bm25", 7), ("fruit-apples", "R@100", "bm25", 8),
        ("fruit-pears", "nDCG@10", "bm25", 11), ("fruit-apples", "nDCG@10", "dense", 17),
    ):  # fmt: skip
        value = FIRST.splitlines()[line - 1].rpartition(" ")[2]
        lines.append(f"{slug},{measure},Pyserini {system},{value},reference_implementation,castorini,"
                     f"castorini/pyserini,{FILE}#L{line}")  # fmt: skip
    table = tmp_path / "table.csv"
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    call_command("load_results", str(table), verbosity=0)
    table.unlink()
    assert Result.objects.count() == 4
    return found


def import_pyserini(repository: Repository, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    call_command("import_upstream", "pyserini", "--from", str(repository.folder), *options)
    return capsys.readouterr().out


def standing() -> dict[tuple[str, str, str], str]:
    rows = Result.objects.standing().select_related("system", "leaderboard__collection", "leaderboard__measure")
    return {(r.system.name, r.leaderboard.collection.slug, r.leaderboard.measure.name): r.printed for r in rows}


SECOND = listed(
    ("rrf", {"pears": {"nDCG@10": "0.7000"}, "plums": {"nDCG@10": "0.1000"}}),
    # Five places and the same number; another number.
    ("bm25", {"apples": {"nDCG@10": "0.30000", "R@100": "0.8100"}, "pears": {"nDCG@10": "0.5000"}}),
)


def test_the_same_state_has_nothing_to_decide_on(repository, capsys):
    assert "0 new, 0 changed, 0 gone, 4 as they were" in import_pyserini(repository, capsys)
    assert not UpstreamUpdate.objects.exists()


def test_results_of_files_that_are_not_read_are_counted_and_stay(repository, capsys):
    Result.objects.filter(system__name="Pyserini dense").update(locator="docs/experiments-toys.md#L17")
    repository.commit(pyserini__2cr__toys_yaml=SECOND)
    said = import_pyserini(repository, capsys)
    assert "1 new, 1 changed, 0 gone, 2 as they were" in said
    assert "1 result on record not compared: without a line of a file that is read" in said
    page = page_of(Client().get(UpstreamUpdate.objects.get().get_absolute_url())).text
    assert "Not compared, because they name no line of a file that is read: 1 result of this source." in page


def test_a_difference_is_printed_and_nothing_kept(repository, capsys):
    repository.commit(pyserini__2cr__toys_yaml=SECOND)
    said = import_pyserini(repository, capsys, "--diff")
    assert "1 new, 1 changed, 1 gone, 2 as they were" in said
    assert "toys/rrf/plums" in said
    assert not UpstreamUpdate.objects.exists()
    assert len(standing()) == 4


def test_shifted_lines_are_no_change(repository, capsys):
    repository.commit(pyserini__2cr__toys_yaml="# What is reproduced\n\n" + FIRST)
    assert "0 new, 0 changed, 0 gone, 4 as they were" in import_pyserini(repository, capsys)


def test_an_editor_takes_over_what_is_new_changed_and_gone(repository, capsys):
    commit = repository.commit(pyserini__2cr__toys_yaml=SECOND)
    import_pyserini(repository, capsys)
    update = UpstreamUpdate.objects.get()
    page = page_of(Client().get(update.get_absolute_url()))
    assert "1 new, 1 changed, 1 gone" in page.text
    assert "Take it over" not in page.text
    response = signed_in(editor()).post(update.get_absolute_url(), {"decision": "apply"})
    assert response.status_code == 302
    assert standing() == {
        ("Pyserini bm25", "fruit-apples", "nDCG@10"): "0.3000",
        ("Pyserini bm25", "fruit-apples", "R@100"): "0.8100",
        ("Pyserini bm25", "fruit-pears", "nDCG@10"): "0.5000",
        ("Pyserini rrf", "fruit-pears", "nDCG@10"): "0.7000",
    }
    new = Result.objects.standing().get(system__name="Pyserini rrf")
    line = SECOND.splitlines().index("          - nDCG@10: 0.7000") + 1
    assert new.locator == f"{FILE}#L{line} at {commit[:10]}"
    gone = Result.objects.get(system__name="Pyserini dense")
    assert gone.ending == Result.Ending.WITHDRAWN
    assert commit[:10] in gone.ended_by.reason
    assert "0 new, 0 changed, 0 gone, 4 as they were" in import_pyserini(repository, capsys)
    again = signed_in(editor()).post(update.get_absolute_url(), {"decision": "apply"})
    assert "taken over already" in page_of(again).text


def test_what_comes_back_is_recorded_again_and_what_somebody_withdrew_is_not(repository, capsys):
    repository.commit(pyserini__2cr__toys_yaml=SECOND)
    import_pyserini(repository, capsys, "--apply")
    repository.commit(pyserini__2cr__toys_yaml=FIRST)
    import_pyserini(repository, capsys, "--apply")
    assert ("Pyserini dense", "fruit-apples", "nDCG@10") in standing()
    assert "0 new, 0 changed, 0 gone" in import_pyserini(repository, capsys)


def test_a_verdict_that_would_change_is_named_and_nothing_changes_for_it(repository, capsys):
    repository.commit(pyserini__2cr__toys_yaml=SECOND)
    before = Entry.objects.count()
    said = import_pyserini(repository, capsys)
    assert "3 verdicts would change, 2 with another leader" in said
    update = UpstreamUpdate.objects.get()
    page = page_of(Client().get(update.get_absolute_url()))
    assert "Pyserini rrf leads" in page.text
    changes = [cells[0] for cells in page.rows if len(cells) == 3 and cells[0].startswith("fruit-")]
    assert changes == ["fruit-apples, nDCG@10", "fruit-pears, nDCG@10", "fruit-apples, R@100"], "new leaders come first"
    assert (Entry.objects.count(), len(standing())) == (before, 4)


def test_an_update_that_is_left_changes_nothing(repository, capsys):
    repository.commit(pyserini__2cr__toys_yaml=SECOND)
    import_pyserini(repository, capsys)
    update = UpstreamUpdate.objects.get()
    assert Client().post(update.get_absolute_url(), {"decision": "drop"}).status_code == 403
    signed_in(editor()).post(update.get_absolute_url(), {"decision": "drop"})
    update.refresh_from_db()
    assert update.state == "dropped"
    assert len(standing()) == 4
    assert update.source in Client().get("/updates.atom").content.decode()
    assert "left" in page_of(Client().get("/updates/")).text


def test_no_repository_and_no_history_say_what_to_do(repository, capsys, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with pytest.raises(CommandError, match="no git repository"):
        call_command("import_upstream", "pyserini", "--from", str(elsewhere / "none"))
    Source.objects.update(state="0" * 10)
    with pytest.raises(CommandError, match="fetch its whole history"):
        import_pyserini(repository, capsys)


# --- the comparison, of a repository of plain lists


class States:
    """A repository of lists, by commit and path."""

    def __init__(self, **states: dict[str, str]) -> None:
        self.states = states

    def __enter__(self) -> "States":
        return self

    def __exit__(self, *_: object) -> None: ...

    def commit(self, name: str) -> str:
        return next(commit for commit in self.states if commit.startswith(name))

    def day(self, commit: str) -> str:
        return f"2026-08-0{1 + list(self.states).index(commit)}"

    def files(self, commit: str) -> dict[str, str]:
        return self.states[commit]

    def texts(self, commit: str, paths: list[str]) -> Iterator[tuple[str, str]]:
        return ((path, self.states[commit][path]) for path in paths)


def scores_in(path: str, text: str) -> Iterator[Score]:
    """System, place, measure and number, several in a line perhaps; what makers say of their own ends with a star."""
    for line, told in enumerate(text.splitlines(), 1):
        for one in told.split(";"):
            system, place, measure, printed = one.split()
            yield Score(
                key=(base_name(path), system, place, measure),
                places=(place, place.partition("/")[0]),
                system=system,
                measure=measure,
                printed=printed.strip("*"),
                line=line,
                is_self_reported=printed.endswith("*"),
            )


LISTS = Upstream(source="lists", files=r"lists/\w+\.txt", read=scores_in)
FIRST_STATE, SECOND_STATE = "a" * 12, "b" * 12


@pytest.fixture
def boards() -> tuple[Leaderboard, Leaderboard]:
    """Average precision on apples and on pears, for what was read at the first commit."""
    Source.objects.create(name="lists", what="Scores", state=FIRST_STATE[:4], address="https://example.org/")
    Source.objects.create(name="others", what="Scores", state=SECOND_STATE[:4], address="https://example.com/")
    measure = make_measure("AP")
    apples, pears = (make_leaderboard(make_collection(slug), measure) for slug in ("fruit-apples", "fruit-pears"))
    return apples, pears


def compared(before: dict[str, str], now: dict[str, str]) -> Comparison:
    states = States(**{FIRST_STATE: before, SECOND_STATE: now})
    return compare(LISTS, states, base=FIRST_STATE, commit=SECOND_STATE[:3])


def test_everything_that_a_repository_prints_otherwise(boards):
    apples, pears = boards
    bm25, rm3, dense = make_system("bm25"), make_system("rm3"), make_system("lab/dense", "The Lab")
    run = {"source": "lists", "role": Result.Role.REFERENCE_IMPLEMENTATION, "date": "2020-01-02"}
    make_result(apples, bm25, "0.30", locator="lists/a.txt#L1", year=2020, **run)
    changed = make_result(pears, bm25, "0.50", locator=f"lists/a.txt#L2 at {FIRST_STATE[:5]}", year=2020, **run)
    doe = {"paper": make_paper("Doe (SIGIR 2021)"), "year": 2021}
    moved = make_result(
        apples, dense, "0.40", locator="lists/a.txt#L3-L4", **run | doe | {"role": Result.Role.PROPOSED}
    )
    gone = make_result(apples, rm3, "0.35", locator="lists/a.txt#L4", year=2020, **run)
    make_result(pears, rm3, "0.55", locator="lists/b.txt#L1", year=2020, **run)
    before = {
        "lists/a.txt": "bm25 apples AP 0.30\nbm25 pears AP 0.50\nlab/dense apples AP 0.40\nrm3 apples AP 0.35",
        "lists/b.txt": "rm3 pears AP 0.55",
        "README.md": "Fruit",
    }
    now = {
        "lists/a.txt": "bm25 apples AP 0.300\nbm25 pears AP 0.51\nnew apples AP 0.20*\nlab/only pears AP 0.10*\n"
        "bm25 figs AP 0.1\nbm25 plums AP 0.1\nnew plums AP 0.1\nnew apples R 0.9",
        "lists/b.txt": before["lists/b.txt"],
        "lists/c.txt": "lab/dense apples AP 0.41\nnew apples AP 0.25\nbm25 apples AP 0.33\nlab/dense pears AP 0.6",
        "lists/d.txt": "no list",
        "README.md": "Fruit and more",
    }
    found = compared(before, now)
    assert found.changed == [
        Changed(pk=changed.pk, before="0.50", printed="0.51", locator="lists/a.txt#L2 at bbbbbbbbbb"),
        # In place of the one that is gone from the other list.
        Changed(pk=moved.pk, before="0.40", printed="0.41", locator="lists/c.txt#L1 at bbbbbbbbbb"),
    ]
    assert (found.gone, found.n_same, found.n_left_out, found.n_unlocated) == ([gone.pk], 2, 1, 0)
    assert list(found.unplaced.items()) == [("plums", 2), ("figs", 1)]
    assert found.unread == {"lists/d.txt": "ValueError: not enough values to unpack (expected 4, got 2)"}
    of_all = {"measure": "AP", "date": "2020-01-02", "source": "lists"}
    assert [{name: text for name, text in cells.items() if text} for cells in found.new] == [
        of_all
        # What somebody else ran comes before what its maker says.
        | {"collection": "fruit-apples", "system": "new", "value": "0.25", "role": "reference_implementation"}
        | {"locator": "lists/c.txt#L2 at bbbbbbbbbb"},
        of_all
        | {"collection": "fruit-pears", "system": "lab/dense", "value": "0.6", "role": "proposed", "year": "2021"}
        | {"team": "The Lab", "paper": "Doe (SIGIR 2021)", "locator": "lists/c.txt#L4 at bbbbbbbbbb"},
        of_all
        | {"collection": "fruit-pears", "system": "lab/only", "value": "0.10", "role": "reference_implementation"}
        | {"team": "lab", "locator": "lists/a.txt#L4 at bbbbbbbbbb", "self_reported": "yes"},
    ]


def test_what_stands_in_one_line_is_told_by_name_and_number_and_places_by_what_they_share(boards):
    apples, pears = boards
    bm25, rm3, twice = make_system("bm25"), make_system("rm3"), make_system("twice")
    here = {"source": "lists", "locator": "lists/a.txt#L1"}
    make_result(apples, bm25, "0.1", **here)
    changed = make_result(apples, rm3, "0.20", **here)
    make_result(pears, bm25, "0.3", **here)
    for board in boards:
        make_result(board, twice, "0.4", **here)
    for locator in ("lists/a.txt#L9", "docs/a.txt#L1", "Table 2"):
        make_result(apples, make_system(), "0.6", source="lists", locator=locator)
    make_result(apples, make_system("of elsewhere"), "0.6", source="another", locator="lists/a.txt#L1")
    line = "bm25 x/1 AP 0.1;rm3 x/1 AP {};bm25 x/2 AP 0.3;twice x/1 AP 0.4;twice x/2 AP 0.4"
    now = line.format("0.25") + ";new x/3 AP 0.9;new x/2 AP 0.7"
    found = compared({"lists/a.txt": line.format("0.20")}, {"lists/a.txt": now})
    assert found.changed == [
        Changed(pk=changed.pk, before="0.20", printed="0.25", locator="lists/a.txt#L1 at bbbbbbbbbb")
    ]
    # Which of two equal ones a line means stays open.
    assert (found.n_same, found.gone, found.n_unlocated) == (2, [], 5)
    assert [(cells["collection"], cells["value"]) for cells in found.new] == [("fruit-pears", "0.7")]
    assert found.unplaced == {"x/3": 1}, "a name of two collections tells neither"
    apart = compared({"lists/a.txt": line.format("0.20")}, {"lists/b.txt": "new x/2 AP 0.7"})
    assert [cells["system"] for cells in apart.new] == ["new"], "without a list of its name, all lists tell the places"
    assert len(apart.gone) == 3


# --- an update, of the same lists

NEW_LEADER = States(
    **{
        FIRST_STATE: {"lists/a.txt": "bm25 apples AP 0.30\ndense apples AP 0.40\nbm25 pears AP 0.50"},
        SECOND_STATE: {"lists/a.txt": "bm25 apples AP 0.45\ndense apples AP 0.40\nrm3 pears AP 0.2"},
    }
)


@pytest.fixture
def recorded(boards) -> list[Result]:
    """What the first state of the lists prints."""
    apples, pears = boards
    told = ((apples, "bm25", "0.30"), (apples, "dense", "0.40"), (pears, "bm25", "0.50"))
    systems = {name: make_system(name) for name in ("bm25", "dense")}
    return [
        make_result(board, systems[name], printed, source="lists", locator=f"lists/a.txt#L{line}", notes="as listed")
        for line, (board, name, printed) in enumerate(told, 1)
    ]


def read_again(*, with_verdicts: bool = False) -> UpstreamUpdate:
    update, _, _ = read_upstream(
        upstream=LISTS, checkout=NEW_LEADER, commit=SECOND_STATE[:5], with_verdicts=with_verdicts
    )
    return keep_update(update)


def test_an_update_holds_what_was_found_and_which_verdicts_would_change(boards, recorded):
    apples, pears = boards
    update, found, verdicts = read_upstream(
        upstream=LISTS, checkout=NEW_LEADER, commit=SECOND_STATE[:5], with_verdicts=True
    )
    assert (update.source, update.base, update.commit) == ("lists", FIRST_STATE, SECOND_STATE)
    assert (update.committed_on.isoformat(), str(update)) == ("2026-08-02", "lists at bbbbbbbbbb")
    assert (update.n_new, update.n_changed, update.n_gone, update.n_leaders) == (1, 1, 1, 2)
    assert [(one.leaderboard, one.address, one.leader_before, one.leader_after) for one in verdicts] == [
        ("fruit-apples, AP", apples.get_absolute_url(), "dense", "bm25"),
        ("fruit-pears, AP", pears.get_absolute_url(), "bm25", "rm3"),
    ]
    assert read_content(update) == (found, verdicts)
    assert set(Result.objects.standing()) == set(recorded)
    assert not read_upstream(upstream=LISTS, checkout=NEW_LEADER, commit=SECOND_STATE, with_verdicts=False)[2]


def test_a_leaderboard_that_was_analysed_is_analysed_again_to_say_what_would_change(boards, recorded):
    for board in boards:
        analyse(board)
    verdicts = read_content(read_again(with_verdicts=True))[1]
    assert [(one.leader_before, one.leader_after) for one in verdicts] == [("dense", "bm25"), ("bm25", "rm3")]


def test_an_update_is_on_its_page_and_in_the_feed(client, recorded, monkeypatch):
    update = read_again(with_verdicts=True)
    page = page_of(client.get(update.get_absolute_url()))
    rows = [" ".join(cells) for cells in page.rows]
    assert "bm25 fruit-apples, AP 0.30 0.45 lists/a.txt#L1 at bbbbbbbbbb" in rows
    assert "bm25 fruit-pears, AP 0.50" in rows
    assert "rm3 fruit-pears AP 0.2 lists/a.txt#L3 at bbbbbbbbbb" in rows
    feed = client.get("/updates.atom").content.decode()
    assert "lists at bbbbbbbbbb: 1 new, 1 changed, 1 gone" in feed
    assert "Another result would lead 2 leaderboards." in feed
    listed = page_of(client.get("/updates/")).rows[-1]
    assert listed == ["lists at bbbbbbbbbb", "2026-08-02", "1", "1", "1", "2", "waits for an editor"]


def test_a_later_reading_takes_the_place_of_the_one_that_waits(recorded):
    first = read_again()
    second = read_again()
    assert list(UpstreamUpdate.objects.all()) == [second]
    drop_update(update=second, actor=None)
    third = read_again()
    assert list(UpstreamUpdate.objects.all()) == [third, second]
    assert first.pk not in (second.pk, third.pk)


def test_what_is_taken_over_is_journaled_and_read_from_then_on(recorded):
    changed, _, gone = recorded
    person = editor()
    update = apply_update(update=read_again(), actor=person)
    assert (update.state, update.decided_by) == ("applied", person)
    entry = Entry.objects.get(action="results.source.read_again")
    assert (entry.subject_type, entry.subject_id, entry.actor) == ("source", "lists", person)
    assert entry.after == {"commit": SECOND_STATE, "new": 1, "changed": 1, "gone": 1}
    assert entry.reason == "lists at bbbbbbbbbb of 2026-08-02"
    successor = Result.objects.standing().get(system=changed.system)
    assert (successor.printed, successor.value, successor.notes) == ("0.45", 0.45, "as listed")
    assert successor.locator == "lists/a.txt#L1 at bbbbbbbbbb"
    changed.refresh_from_db()
    gone.refresh_from_db()
    assert (changed.superseded_by, gone.ending, gone.ended_by) == (successor, "withdrawn", entry)
    assert read_again().base == SECOND_STATE


def test_what_is_left_is_journaled_too(recorded):
    person = editor()
    update = drop_update(update=read_again(), actor=person)
    entry = Entry.objects.get(action="submissions.update.dropped")
    assert (entry.subject_id, entry.actor, entry.after["gone"]) == ("lists", person, 1)
    assert set(Result.objects.standing()) == set(recorded)
    with pytest.raises(ValidationError, match="this update is left already"):
        apply_update(update=update, actor=person)
    with pytest.raises(ValidationError, match="this update is left already"):
        drop_update(update=update, actor=person)


def test_what_ends_many_results_is_confirmed_by_their_number(recorded, monkeypatch):
    monkeypatch.setattr(mass_changes, "MOST_CHANGES", 1)
    update, person = read_again(), editor()
    with pytest.raises(MassChange) as refused:
        apply_update(update=update, actor=person)
    assert refused.value.n_rows == 2
    assert apply_update(update=update, actor=person, confirmed_rows=2).state == "applied"


def test_an_update_of_results_that_were_changed_meanwhile_is_refused(recorded):
    update = read_again()
    withdraw_result(result=recorded[0], actor=None, reason="an erratum")
    with pytest.raises(ValidationError, match="a result of it was changed on the record meanwhile; read"):
        apply_update(update=update, actor=None)
    assert UpstreamUpdate.objects.get().state == "open"


def test_of_a_source_that_nobody_read_nothing_is_compared(db):
    with pytest.raises(ValidationError, match="nothing of lists is on record with the commit"):
        read_again()


def test_the_page_of_an_update_shows_some_of_each_kind_and_lets_editors_decide_while_it_is_open(
    client, recorded, monkeypatch
):
    monkeypatch.setattr(moderation, "ROWS_SHOWN", 1)
    update = read_again(with_verdicts=True)
    shown = client.get(update.get_absolute_url()).context
    assert (shown["may_decide"], shown["rows_shown"]) == (False, 1)
    assert [(result, one.printed) for result, one in shown["changed"]] == [(recorded[0], "0.45")]
    assert (shown["gone"], [one["system"] for one in shown["new"]]) == ([recorded[2]], ["rm3"])
    assert [one.leaderboard for one in shown["verdicts"]] == ["fruit-apples, AP", "fruit-pears, AP"]
    browser = signed_in(editor())
    assert browser.get(update.get_absolute_url()).context["may_decide"]
    assert client.post(update.get_absolute_url(), {"decision": "drop"}).status_code == 403
    unclear = browser.post(update.get_absolute_url(), {"decision": "later"})
    assert (unclear.status_code, "decision" in unclear.context["form"].errors) == (200, True)
    done = browser.post(update.get_absolute_url(), {"decision": "drop"})
    assert (done.status_code, done["Location"]) == (302, update.get_absolute_url())
    assert [str(one) for one in get_messages(done.wsgi_request)] == ["It is decided."]
    assert not browser.get(update.get_absolute_url()).context["may_decide"]
    again = browser.post(update.get_absolute_url(), {"decision": "apply"})
    assert again.status_code == 200
    assert again.context["form"].non_field_errors() == ["this update is left already"]
    assert set(Result.objects.standing()) == set(recorded)


def test_the_newest_update_stands_first(client, recorded, monkeypatch):
    first = drop_update(update=read_again(), actor=None)
    second = read_again()
    assert list(client.get("/updates/").context["page"]) == [second, first]
    monkeypatch.setattr(moderation, "UPDATES_PER_PAGE", 1)
    assert list(client.get("/updates/?page=2").context["page"]) == [first]
    monkeypatch.setattr(moderation, "UPDATES_PER_FEED", 1)
    feed = client.get("/updates.atom").content.decode()
    assert (feed.count("<entry>"), second.get_absolute_url() in feed) == (1, True)
