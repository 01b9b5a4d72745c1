"""A number is never the name of a system, whichever way it comes in."""

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from registry.results.models import System
from registry.results.pipeline.rows import is_no_name
from registry.results.services.files import load_results_file
from registry.results.services.merging import rename_system
from registry.submissions.models import Submission
from tests.registry.api.programs import Program
from tests.registry.factory import make_result, make_user
from tests.registry.pages import page_of
from tests.registry.results.people import signed_in
from tests.registry.submissions.test_submit_form import TYPED
from tests.registry.submissions.world import make_robust04, make_submission, row

pytestmark = pytest.mark.django_db

SAID = "is a number, not the name of a system"


def test_rows_with_one_are_refused_with_what_to_write():
    make_robust04()
    submission = make_submission(rows=[row(system=name) for name in ("0.2031", "42", "20.3%", "0,2031", "1e-3")])
    for one in submission.rows.all():
        assert [told["code"] for told in one.rejections] == ["number"]
        assert "write the name" in one.rejections[0]["message"]


def test_forms_tables_and_programs_are_told_the_same():
    make_robust04()
    ada = signed_in(make_user("ada"))
    assert SAID in page_of(ada.post("/submit/", TYPED | {"system": "0.2031", "step": "check"})).text
    table = "system,collection,measure,value,role,paper\n0.2031,robust04,MAP,0.3,baseline,Doe 2021\n"
    draft = ada.post("/submit/", {"text": table, "step": "check"}, follow=True)
    assert SAID in page_of(draft).text
    assert SAID in page_of(Client().post("/review-table/", {"text": table})).text
    told = Program().create([row(system="0.2031")])
    assert SAID in told.content.decode()


def test_files_that_operators_load_are_refused_with_one(tmp_path):
    make_robust04()
    file = tmp_path / "results.csv"
    file.write_text("collection,measure,system,value,role,source\nrobust04,MAP,0.2031,0.3,baseline,a page\n")
    (told,) = load_results_file(path=file).rejections
    assert (told.line, told.column, SAID in told.message) == (2, "system", True)


def test_a_team_may_call_its_run_by_a_whole_number():
    assert not is_no_name("2", "a team")
    assert is_no_name("0.2", "a team")
    make_robust04()
    assert not make_submission(rows=[row(system="2", team="a team")]).rows.get().rejections


def test_systems_are_not_renamed_to_one():
    system = make_result().system
    with pytest.raises(ValidationError, match="not the name"):
        rename_system(system=system, name="0.2031", team="", actor=make_user(is_editor=True), reason="so")
    assert System.objects.get(pk=system.pk).name == system.name


def test_the_name_of_a_file_is_offered_where_its_text_names_no_system():
    make_robust04()
    file = SimpleUploadedFile("bm25-tuned.eval", b"map\tall\t0.2031\n")
    sent = {"role": "baseline", "paper": "arXiv:1904.09171", "collection": "robust04"}
    ada = signed_in(make_user("ada"))
    page = ada.post("/submit/", sent | {"file": file}).content.decode()
    assert "The file is called" in page
    assert 'value="system:bm25-tuned"' in page
    assert not Submission.objects.exists()
    again = sent | {"text": "map\tall\t0.2031\n", "use": "system:bm25-tuned"}
    assert "bm25-tuned" in page_of(ada.post("/submit/", again)).text
    ada.post("/submit/", again | {"step": "check"})
    assert Submission.objects.get().rows.get().cells["system"] == "bm25-tuned"
