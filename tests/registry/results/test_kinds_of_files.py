"""Every kind of file of a folder that ships: who loaded it and why, what it says, what is passed over next time."""

from pathlib import Path

import pytest
from django.core.management import call_command

from registry.journal.models import Entry
from registry.results.models import Model, Paper, Result, Source, System, TopicScores, UnnamedScores
from registry.results.services.files import load_shipped_results
from tests.registry.factory import make_user
from tests.registry.results.loading import counts, line, refusals, write

pytestmark = pytest.mark.django_db

FILES = {
    "collections.csv": "slug,name,aliases,n_topics\ntrec-2004-robust,TREC 2004 Robust,Robust04,2\n",
    "measures.csv": "name,low,high\nAP,0,1\n",
    "leaderboards.csv": "collection,measure,n_topics\n",
    "variance_library.csv": "collection,measure,kind,residual_variance,n_topics,n_systems,sources\n",
    "sources.csv": "source,what,address\na survey,Numbers of others,https://example.org/survey\n",
    "papers.csv": "paper,paper_url,title,authors,source\n,https://arxiv.org/abs/1904.09171,On Luck,Jane Doe,theirs\n",
    "models.csv": "slug,name,source,paper_url\nbm25,BM25,its paper,https://arxiv.org/abs/1904.09171\n",
    "system_names.csv": "system,team,name,source\nlucky [proposed],,The Lucky Model,the list names papers alone\n",
    "topic_scores/manifest.csv": "file,collection,measure,role,team,source\n"
    "bm25.csv,robust04,AP,baseline,,a survey\ngone.csv,robust04,AP,baseline,,a survey\n"
    "bm25.csv,no such thing,AP,baseline,,a survey\n",
    "topic_scores/bm25.csv": "topic,BM25\n301,0.2\n302,0.3\n",
}
LABELS = ["sources.csv", "papers.csv", "models.csv", "system_names.csv", "results/b.csv", "results/c.csv"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "results").mkdir()
    write(tmp_path / "results", line(system="lucky [proposed]", value="0.27"), name="c.csv")
    write(tmp_path / "results", line(system="another", value="0.26", source=""), name="b.csv")
    return tmp_path


def test_each_is_loaded_once_by_whoever_loads_the_folder_and_for_the_same_reason(folder):
    ada, told = make_user("ada"), []
    reports = list(
        load_shipped_results(
            directory=folder, actor=ada, reason="as they ship", progress=lambda what, n: told.append(what)
        )
    )
    by_label = {report.label: report for report in reports}
    assert [label for label in by_label if label in LABELS] == LABELS
    assert {label: counts(by_label[label]) for label in LABELS} == dict.fromkeys(LABELS, (1, 0, 0, 0))
    assert [str(folder / label) for label in LABELS] == [by_label[label].path for label in LABELS]
    assert list(by_label)[-2:] == ["topic_scores/bm25.csv", "topic_scores/manifest.csv"]
    assert counts(by_label["topic_scores/bm25.csv"])[3] == 0
    assert [(number, column) for number, column, _ in refusals(by_label["topic_scores/manifest.csv"])] == [
        (3, "gone.csv"),
        (4, "bm25.csv"),
    ]
    assert set(Entry.objects.values_list("actor__username", "reason").distinct()) == {("ada", "as they ship")}
    assert {"comparing results/b.csv", "recording results/c.csv"} <= set(told)

    assert Source.objects.get().what == "Numbers of others"
    assert Model.objects.get().paper == Paper.objects.get(title="On Luck")
    known = {result.printed: (result.system.name, result.source) for result in Result.objects.standing()}
    assert known["0.27"] == ("The Lucky Model", "a survey")
    assert known["0.26"] == ("another", "b.csv")
    assert TopicScores.objects.get().scores == [0.2, 0.3]
    assert System.objects.get(name="BM25").model.slug == "bm25"
    assert not UnnamedScores.objects.exists()

    again = list(load_shipped_results(directory=folder))
    assert [report.label for report in again] == ["topic_scores/manifest.csv"]

    # What the manifest says of a table is as much a part of it as the table.
    manifest = folder / "topic_scores" / "manifest.csv"
    text = FILES["topic_scores/manifest.csv"]
    manifest.write_text("".join(text.splitlines(keepends=True)[:2]).replace(",baseline,,", ",baseline,A,"))
    assert [report.label for report in load_shipped_results(directory=folder)] == ["topic_scores/bm25.csv"]
    (folder / "papers.csv").write_text(FILES["papers.csv"].replace("Luck", "Skill"), encoding="utf-8")
    assert [(report.label, counts(report)) for report in load_shipped_results(directory=folder)] == [
        ("papers.csv", (0, 0, 1, 0))
    ]
    assert Paper.objects.get().title == "On Skill"


def test_commands_say_what_would_happen_or_keep_what_is_good(folder, capsys):
    list(load_shipped_results(directory=folder))
    n_entries = Entry.objects.count()
    path = write(folder, line(system="third", value="31", source="x"), line(value="far"), name="more.csv")
    with pytest.raises(SystemExit):
        call_command("load_results", str(path), "--unit", "percent", "--dry-run", "--keep-good")
    assert "1 added, 0 unchanged, 0 superseded, 1 refused" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        call_command("load_results", str(path), "--unit", "percent")
    assert (Entry.objects.count(), Result.objects.filter(source="x").exists()) == (n_entries, False)
    with pytest.raises(SystemExit):
        call_command("load_results", str(path), "--unit", "percent", "--keep-good", "--reason", "read again")
    third = Result.objects.get(source="x")
    assert (third.unit, third.value, third.recorded_by.reason) == ("percent", 0.31, "read again")
    table = folder / "t.csv"
    table.write_text("topic,fourth\n301,0.4\n302,0.6\n", encoding="utf-8")
    options = ["--collection", "robust04", "--measure", "AP", "--role", "trec_run", "--run-type", "manual"]
    call_command("load_topic_scores", str(table), *options, "--year", "2004", "--source", "y", "--dry-run")
    assert not Result.objects.filter(source="y").exists()
    call_command("load_topic_scores", str(table), *options, "--year", "2004", "--source", "y", "--team", "T")
    fourth = Result.objects.get(source="y")
    assert (fourth.role, fourth.run_type, fourth.year, fourth.system.team) == ("trec_run", "manual", 2004, "T")
    assert fourth.value == pytest.approx(0.5)
