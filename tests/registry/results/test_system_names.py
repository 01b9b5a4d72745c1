"""Names that systems go by, from a file: what their results call them leads there."""

from django.test import Client

from registry.core.loading import LoadReport
from registry.journal.models import Entry
from registry.results.models import Result, System
from registry.results.services.fact_files import load_system_names_file
from registry.results.services.files import load_results_file
from registry.results.services.merging import rename_system, undo_merge
from tests.registry.factory import make_leaderboard, make_result, make_system, make_user
from tests.registry.pages import read
from tests.registry.results.loading import counts, line, make_robust04, write

ROW = "Diaz (CIKM 2005) [proposed],,proposed in Diaz (CIKM 2005),the list names papers alone"


def load(folder, *lines: str) -> LoadReport:
    path = folder / "system_names.csv"
    path.write_text("\n".join(["system,team,name,source", *lines]) + "\n", encoding="utf-8")
    return load_system_names_file(path=path)


def load_result(folder) -> Result:
    make_robust04()
    load_results_file(path=write(folder, line(system="Diaz (CIKM 2005) [proposed]", source="the list")))
    return Result.objects.standing().get()


def test_results_stand_under_the_name_and_what_they_call_it_is_another(client: Client, tmp_path):
    assert counts(load(tmp_path, ROW)) == (1, 0, 0, 0)
    result = load_result(tmp_path)
    assert result.system.name == "proposed in Diaz (CIKM 2005)"
    assert "Diaz (CIKM 2005) [proposed]" in read(client, result.system.get_absolute_url()).text
    assert Result.objects.count() == 1
    assert counts(load(tmp_path, ROW)) == (0, 1, 0, 0)


def test_results_that_stand_already_move(tmp_path):
    first = load_result(tmp_path)
    assert load(tmp_path, ROW).summary().endswith(": 0 added, 0 unchanged, 1 changed, 0 refused")
    now = Result.objects.standing().get()
    assert now.system.name == "proposed in Diaz (CIKM 2005)"
    first.refresh_from_db()
    assert (first.system.name, first.superseded_by) == ("Diaz (CIKM 2005) [proposed]", now)
    load_result_again = load_results_file(path=tmp_path / "results.csv")
    assert counts(load_result_again) == (0, 1, 0, 0)


def test_a_twin_of_that_name_takes_the_results_until_an_editor_takes_them_apart(tmp_path):
    load_result(tmp_path)
    twin = make_result(make_leaderboard(), make_system("proposed in Diaz (CIKM 2005)")).system
    assert counts(load(tmp_path, ROW)) == (0, 0, 1, 0)
    assert {result.system for result in Result.objects.standing()} == {twin}
    undo_merge(entry=Entry.objects.get(action="results.system.merged"), actor=make_user(), reason="two methods")
    assert counts(load(tmp_path, ROW)) == (0, 1, 0, 0)
    assert Result.objects.standing().values("system").distinct().count() == 2


def test_a_system_that_a_file_names_first_is_of_the_model_that_its_name_says(tmp_path):
    load(tmp_path, "e5 [README.md#L1],,intfloat/e5-base (dim=5),x")
    assert System.objects.get(name="intfloat/e5-base (dim=5)").model.name == "intfloat/e5-base"


def test_what_an_editor_named_stays(tmp_path):
    system = load_result(tmp_path).system
    named = rename_system(system=system, name="Mixture model", team="", actor=None, reason="the paper calls it that")
    assert counts(load(tmp_path, ROW)) == (0, 1, 0, 0)
    assert Result.objects.standing().get().system == named
