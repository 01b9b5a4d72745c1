"""Loading a folder in the layout of data/."""

from functools import partial
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError

from registry.catalog.models import Collection, Measure, ResidualVariance
from registry.journal.models import Entry
from registry.results.models import Result, TopicScores
from tests.registry.commands import given
from tests.registry.results.loading import line, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small folder with every kind of file."""
    files = {
        "collections.csv": "slug,name,aliases,n_topics\ntrec-2004-robust,TREC 2004 Robust,Robust04,2\n",
        "measures.csv": "name,low,high\nAP,0,1\n",
        "leaderboards.csv": "collection,measure,n_topics\n",
        "variance_library.csv": "collection,measure,kind,residual_variance,n_topics,n_systems,sources\n"
        "robust04,AP,own-variance,0.0128,9,9,its runs\n",
        "topic_scores/manifest.csv": "file,collection,measure,role,team\nbm25.csv,robust04,AP,baseline,\n",
        "topic_scores/bm25.csv": "topic,BM25\n301,0.2\n302,0.3\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    (tmp_path / "results").mkdir()
    write(tmp_path / "results", line())
    return tmp_path


run = partial(given, "load_shipped_data")


def test_everything_is_loaded(folder):
    out, _, code = run(folder)
    assert (code, len(out.splitlines())) == (0, 6)
    assert (Collection.objects.get().slug, ResidualVariance.objects.get().residual_variance) == (
        "trec-2004-robust",
        0.0128,
    )
    assert (Result.objects.get().printed, TopicScores.objects.get().scores) == ("0.2500", [0.2, 0.3])


def test_files_that_are_as_they_were_are_passed_over(folder, django_assert_max_num_queries):
    run(folder)
    n_entries = Entry.objects.count()
    with django_assert_max_num_queries(10):
        out, _, code = run(folder)
    assert out == f"{folder} holds no file that is new or has changed\n"
    assert (code, Entry.objects.count()) == (0, n_entries)


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(CommandError, match="nowhere is no folder"):
        run(tmp_path / "nowhere")


def test_only_what_changed_is_loaded(folder):
    run(folder)
    write(folder / "results", line(), line(system="new"))
    out, *_ = run(folder)
    assert out.splitlines() == [f"{folder / 'results' / 'results.csv'}: 1 added, 1 unchanged, 0 superseded, 0 refused"]
    (folder / "topic_scores" / "manifest.csv").write_text(
        "file,collection,measure,role\nbm25.csv,robust04,AP,proposed\n"
    )
    out, *_ = run(folder)
    assert "bm25.csv: 0 added, 1 unchanged" in out
    (folder / "measures.csv").write_text("name,low,high\nAP,0,1\nRR,0,1\n")
    run(folder)
    assert Measure.objects.filter(name="RR").exists()


def test_a_file_with_refused_rows_is_tried_again(folder):
    write(folder / "results", line(value="NaN"))
    assert run(folder).code == 1
    assert run(folder).code == 1
    write(folder / "results", line())
    assert run(folder).code == 0


@pytest.mark.slow
def test_all_that_ships_is_taken():
    out, _, code = run(settings.BASE_DIR / "data")
    assert code == 0, out
    assert Result.objects.standing().count() > 70_000
    assert Result.objects.filter(topic_scores__isnull=False).count() > 300
    assert run(settings.BASE_DIR / "data").out.endswith("holds no file that is new or has changed\n")
