"""Loading files of results: by the command, all or nothing, twice without harm."""

from functools import partial
from pathlib import Path

from registry.catalog.models import Leaderboard
from registry.core.models import Job
from registry.journal.models import Entry
from registry.results.models import Paper, Result, System
from tests.registry import factory
from tests.registry.commands import given
from tests.registry.results.loading import counts, line, load, standing, write


def test_a_replicate_is_one_of_the_first_result_of_its_system(robust04, tmp_path):
    load(tmp_path, line(source="one"), line(source="two"))
    load(tmp_path, line(system="BM25, seed 2", replicate_of="BM25"))
    first, _, replicate = standing()
    assert (first.source, replicate.replicate_of) == ("one", first)


run = partial(given, "load_results")


def test_a_row_becomes_a_result_with_everything_it_says(robust04, tmp_path):
    load(
        tmp_path,
        line(
            system="Model X",
            value="0.30",
            year="2019",
            date="2019-07-21",
            role="proposed",
            run_type="automatic",
            team="A lab",
            paper="Yang et al. (SIGIR 2019)",
            paper_url="https://doi.org/10.1145/3331184.3331340",
            provenance="double-checked",
            comparability="topic subset",
            n_topics="200",
            locator="Table 2, row 5",
            notes="five folds",
        ),
    )
    result = Result.objects.get()
    assert (result.leaderboard, result.system.name, result.system.team) == (robust04, "Model X", "A lab")
    assert (result.printed, result.value, result.year, str(result.date)) == ("0.30", 0.3, 2019, "2019-07-21")
    assert (result.role, result.run_type, result.provenance) == ("proposed", "automatic", "double_checked")
    assert (result.comparability, result.n_topics_here, result.locator) == ("topic_subset", 200, "Table 2, row 5")
    assert (result.paper.cite, result.paper.doi) == ("Yang et al. (SIGIR 2019)", "10.1145/3331184.3331340")
    assert (result.source, result.notes, result.ended_at) == ("a survey", "five folds", None)


def test_one_system_in_many_spellings_is_one_system(robust04, tmp_path):
    factory.make_measure("nDCG@10")
    load(tmp_path, line(system="BM25 + RM3", team="Lab"), line(system="bm25  + rm3", team="LAB", measure="nDCG@10"))
    load(tmp_path, line(system="ＢＭ25 + RM3", team="lab", source="another survey"))
    assert [str(system) for system in System.objects.all()] == ["BM25 + RM3"]
    load(tmp_path, line(system="BM25 + RM3", team="Another lab"))
    assert System.objects.count() == 2


def test_a_second_load_changes_nothing_and_says_so(robust04, tmp_path):
    rows = [line(), line(system="other", paper="A paper", year="2004", replicate_of="BM25")]
    assert counts(load(tmp_path, *rows)) == (2, 0, 0, 0)
    robust04.refresh_from_db()
    version, n_entries = robust04.results_version, Entry.objects.count()
    report = load(tmp_path, *rows)
    assert counts(report) == (0, 2, 0, 0)
    assert report.summary().endswith("0 added, 2 unchanged, 0 superseded, 0 refused (nothing changed)")
    robust04.refresh_from_db()
    assert (robust04.results_version, Entry.objects.count()) == (version, n_entries)


def test_the_journal_has_one_entry_for_the_file_and_the_leaderboard_is_analysed_anew(robust04, tmp_path):
    editor = factory.make_user("editor")
    load(tmp_path, line(), line(system="other"), actor=editor, reason="survey of 2019")
    entry = Entry.objects.get()
    assert (entry.action, entry.subject_type, entry.subject_id) == ("results.file.loaded", "file", "results.csv")
    assert (entry.actor, entry.actor_name, entry.reason) == (editor, "editor", "survey of 2019")
    digest = entry.after.pop("digest")
    assert len(digest) == 64
    assert entry.after == {"added": 2, "unchanged": 0, "superseded": 0, "refused": 0}
    assert entry.recorded_results.count() == 2
    robust04.refresh_from_db()
    assert (robust04.results_version, robust04.results_changed_at is None) == (1, False)
    assert Job.objects.get().args == {"leaderboard_id": robust04.pk}


def test_keep_good_loads_the_rest_and_records_what_it_left(robust04, tmp_path):
    rows = [
        line(),
        line(system="bad", value="NaN"),
        line(system="twice", value="0.1"),
        line(system="twice", value="0.2"),
    ]
    report = load(tmp_path, *rows, keep_good=True)
    assert counts(report) == (1, 0, 0, 3)
    assert [result.system.name for result in standing()] == ["BM25"]
    assert Entry.objects.get().after["refused"] == 3


def test_keep_good_does_not_trust_a_file_with_a_broken_structure(robust04, tmp_path):
    path = write(tmp_path, line(), line(system="other"))
    path.write_text(path.read_text() + '"never closed,')
    _, err, code = run(path, "--keep-good")
    assert code == 1
    assert "4: a quote is opened in the row that begins here and never closed" in err
    assert not Result.objects.exists()


def test_a_dry_run_counts_and_changes_nothing(robust04, tmp_path):
    load(tmp_path, line(system="a"), line(system="b"))
    before = list(Result.objects.values())
    factory.make_measure("nDCG@10")
    rows = [line(system="a"), line(system="b", value="0.9"), line(system="c"), line(measure="nDCG@10", paper="New")]
    assert counts(load(tmp_path, *rows, dry_run=True)) == (2, 1, 1, 0)
    assert list(Result.objects.values()) == before
    assert (Leaderboard.objects.count(), Paper.objects.count(), System.objects.count()) == (1, 0, 2)
    assert counts(load(tmp_path, *rows)) == (2, 1, 1, 0)


def test_the_command_prints_one_closing_line_a_file_and_goes_on(robust04, tmp_path):
    good, bad = write(tmp_path, line(), name="good.csv"), write(tmp_path, line(value="NaN"), name="bad.csv")
    out, err, code = run(bad, good)
    assert code == 1
    assert out.splitlines() == [
        f"{bad}: 0 added, 0 unchanged, 0 superseded, 1 refused",
        f"{good}: 1 added, 0 unchanged, 0 superseded, 0 refused",
    ]
    assert err.startswith(f"{bad}:2: value: 'NaN' is not a score")


def test_the_number_of_queries_does_not_grow_with_the_rows_of_a_chunk(
    robust04, tmp_path: Path, django_assert_max_num_queries
):
    with django_assert_max_num_queries(56):
        load(tmp_path, *(line(system=f"s{number}", paper=f"p{number}") for number in range(900)))
