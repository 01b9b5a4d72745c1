"""Models above systems: gathered by rules, said by editors, undone from the log, loaded from a file."""

import pytest
from django.core.exceptions import ValidationError

from registry.journal.models import Entry
from registry.results.models import Model, System
from registry.results.services.fact_files import load_models_file
from registry.results.services.gathering import gather_models, say_model, undo_gathering
from tests.registry.factory import make_entry, make_model, make_system, make_user
from tests.registry.pages import read
from tests.registry.results.people import editor, signed_in

RUNS = ("Anserini bm25", "Pyserini bm25-default", "rank_llm BM25")


def make_runs() -> list[System]:
    return [make_system(name, "castorini") for name in RUNS]


def gather() -> int:
    return gather_models(by=make_entry(action="results.file.loaded"))


def model_names() -> dict[str, str]:
    """Return what each system is of, by its name."""
    return {system.name: str(system.model or "") for system in System.objects.select_related("model")}


def gathered() -> Entry:
    return Entry.objects.get(action="results.model.gathered")


def test_rules_gather_what_is_of_one_model_and_leave_the_rest():
    make_runs()
    make_system("uogTrBaseDD", "BASELINES")
    make_system("BAAI/bge-m3", "BAAI")
    assert gather() == 4
    assert model_names() == dict.fromkeys(RUNS, "BM25") | {"uogTrBaseDD": "", "BAAI/bge-m3": "BAAI/bge-m3"}
    assert {model.slug: model.maker for model in Model.objects.all()} == {"bm25": "", "bge-m3": "BAAI"}
    after = gathered().after
    assert (after["systems"], after["read_by"][0]) == (3, "the recipe “bm25” of Anserini")
    assert len(after["read_by"]) == 3
    assert System.objects.get(name="BAAI/bge-m3").model_by.action == "results.file.loaded"
    assert gather() == 0


def test_gathering_is_undone_from_the_log_and_not_done_again():
    make_runs()
    gather()
    page = read(signed_in(editor()), gathered().get_absolute_url())
    assert "3 systems stand by themselves again" in page.text
    client = signed_in(editor())
    answer = client.post(f"/log/{gathered().pk}/undo/", {"reason": "three toolkits, three variants"})
    assert answer.status_code == 302
    assert model_names() == dict.fromkeys(RUNS, "")
    assert gather() == 0
    with pytest.raises(ValidationError, match="nothing of it is left"):
        undo_gathering(entry=gathered(), actor=editor(), reason="again")


def test_an_editor_says_which_model_a_system_is_of_and_rules_leave_it():
    first, second, _ = make_runs()
    gather()
    client = signed_in(editor())
    answer = client.post(f"/systems/{first.slug}/model/", {"model": "BM25 of Lucene", "reason": "its idf differs"})
    assert answer.status_code == 302
    say_model(system=second, model="", actor=editor(), reason="nobody knows")
    gather()
    assert model_names() == {RUNS[0]: "BM25 of Lucene", RUNS[1]: "", RUNS[2]: "BM25"}
    assert Model.objects.get(name="BM25 of Lucene").slug == "bm25-of-lucene"
    say_model(system=second, model="bm25", actor=editor(), reason="by its address")
    assert model_names()[RUNS[1]] == "BM25"
    undo_gathering(entry=gathered(), actor=editor(), reason="what people said stays")
    assert model_names() == {RUNS[0]: "BM25 of Lucene", RUNS[1]: "BM25", RUNS[2]: ""}


def write(folder, *rows: str):
    path = folder / "models.csv"
    head = "slug,name,maker,base,paper_url,published,released,source"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return load_models_file(path=path)


def test_a_file_gives_models_their_addresses_days_and_papers(tmp_path):
    make_runs()
    gather()
    row = "okapi-bm25,BM25,City University London,,https://arxiv.org/abs/2112.01488,1994,2021-12-02,a source"
    report = write(tmp_path, row)
    assert (report.added, report.superseded, report.refused) == (0, 1, 0)
    model = Model.objects.get()
    assert (model.slug, model.maker, model.known_since) == ("okapi-bm25", "City University London", "1994")
    assert model.systems.count() == 3
    assert write(tmp_path, row).unchanged == 1


@pytest.mark.parametrize(
    ("published", "released", "known"),
    [
        ("2021-12", "2024-09-21", "2021-12"),
        ("2024-02", "2024-02-05", "2024-02-05"),
        ("2024", "2024-02", "2024-02"),
        ("", "2024-02-05", "2024-02-05"),
        ("2020-07", "2019-11-01", "2020-07"),
        ("2020-07", "2020-01", "2020-01"),
        ("2020", "2019", "2019"),
        ("2025", "2024-06-30", "2025"),
        ("", "", ""),
    ],
)
def test_the_earlier_day_leads_unless_the_checkpoint_is_much_older_than_its_paper(published, released, known):
    assert Model(published=published, released=released).known_since == known


@pytest.mark.parametrize(
    "row",
    [
        "BM25,BM25,,,,,,x",
        ",BM25,,,,,,x",
        "bm25,,,,,,,x",
        "bm25-,BM25,,,,,,x",
        "bm--25,BM25,,,,,,x",
        f"{'a' * 101},BM25,,,,,,x",
        "bm25,BM25,,,,199,,x",
        "bm25,BM25,,,,,1994-1,x",
        "bm25,BM25,,,,,1994-01-01-01,x",
        "bm25,BM25,,,ftp://example.org/,,,x",
        "fine,BM25,,,,,,x",
        "bm25,FINE,,,,,,x",
    ],
)
def test_rows_that_say_no_model_are_refused_and_nothing_is_loaded(tmp_path, row):
    report = write(tmp_path, "fine,fine,,,,,,x", row)
    assert (report.refused, Model.objects.count()) == (1, 0)


def test_a_system_whose_name_says_another_model_by_now_moves_and_one_that_says_none_leaves():
    first, second, _ = make_runs()
    gather()
    System.objects.filter(pk=first.pk).update(name="BAAI/bge-m3", team="BAAI")
    System.objects.filter(pk=second.pk).update(name="nothing", team="")
    assert gather_models(by=make_entry(), systems=[first.pk]) == 1
    assert gather() == 1
    assert model_names() == {"BAAI/bge-m3": "BAAI/bge-m3", "nothing": "", RUNS[2]: "BM25"}
    assert System.objects.get(pk=second.pk).model_by is None


def test_what_an_editor_says_of_a_model_is_found_by_its_address_or_its_name():
    ada = make_user("ada", is_editor=True)
    model = make_model("SPLADE-v3", "splade-three", maker="Naver")
    first, other, third = (make_system(name) for name in ("one", "other", "third"))
    assert say_model(system=first, model="Splade-Three", actor=ada, reason=" read ").model == model
    assert say_model(system=other, model="splade-V3", actor=ada, reason="read").model == model
    assert say_model(system=third, model="by naver/new", actor=ada, reason="read").model.maker == ""
    assert say_model(system=third, model="naver/new", actor=ada, reason="read").model.maker == "naver"
    assert say_model(system=third, model=" ", actor=ada, reason="of none").model is None
    entries = Entry.objects.filter(action="results.system.model_said").order_by("pk")
    assert [(entry.reason, entry.before["model"], entry.after["model"]) for entry in entries] == [
        ("read", "", "SPLADE-v3"),
        ("read", "", "SPLADE-v3"),
        ("read", "", "by naver/new"),
        ("read", "by naver/new", "naver/new"),
        ("of none", "naver/new", ""),
    ]
    assert {entry.actor for entry in entries} == {ada}
    third.refresh_from_db()
    assert (third.model, third.model_by) == (None, entries[4])
    assert (entries[4].subject_type, entries[4].subject_id) == ("system", str(third.pk))
