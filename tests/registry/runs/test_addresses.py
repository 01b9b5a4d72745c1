"""Addresses of runs: what each is called in templates, which methods it takes, and who signs in first."""

import pytest
from django.test import Client
from django.urls import resolve, reverse

from registry.runs import own_views, study_views, views
from registry.runs.management.commands.score_run import Command
from tests.registry.factory import make_user
from tests.registry.runs.world import signed_in

K = "k" * 43
#: By name: where it is, the view, and how it is asked: to be read, as a form to be sent, or either.
ADDRESSES = {
    "upload-list": ("/runs/", views.upload_list, "either"),
    "example": ("/runs/example/", views.example_run, "send"),
    "own-list": ("/runs/own/", own_views.own_list, "either, signed in"),
    "own-public": ("/runs/own/public/", own_views.own_public, "read"),
    "own-detail": (f"/runs/own/{K}/", own_views.own_detail, "read"),
    "own-change": (f"/runs/own/{K}/change/", own_views.own_change, "send, signed in"),
    "own-measure-add": (f"/runs/own/{K}/measures/", own_views.own_measure_add, "send, signed in"),
    "own-measure-remove": (f"/runs/own/{K}/measures/5/remove/", own_views.own_measure_remove, "send, signed in"),
    "own-table-add": (f"/runs/own/{K}/tables/", own_views.own_table_add, "send, signed in"),
    "own-run-add": (f"/runs/own/{K}/runs/", own_views.own_run_add, "send, signed in"),
    "own-judgements-put": (f"/runs/own/{K}/judgements/", own_views.own_judgements_put, "send, signed in"),
    "own-listing": (f"/runs/own/{K}/listing/", own_views.own_listing, "either, signed in"),
    "own-keep": (f"/runs/own/{K}/keep/", own_views.own_keep, "send, signed in"),
    "own-delete": (f"/runs/own/{K}/delete/", own_views.own_delete, "send, signed in"),
    "own-board": (f"/runs/own/{K}/boards/5/", own_views.own_board, "read"),
    "own-board-json": (f"/runs/own/{K}/boards/5.json", own_views.own_board, "read"),
    "upload-keep": (f"/runs/{K}/keep/", views.upload_keep, "send"),
    "upload-detail": (f"/runs/{K}/", views.upload_detail, "read"),
    "upload-progress": (f"/runs/{K}/progress/", views.upload_progress, "read"),
    "upload-scores": (f"/runs/{K}/topic-scores.csv", views.upload_scores, "read"),
    "executions-figure": (f"/runs/{K}/executions/figure/", study_views.executions_figure, "read"),
    "upload-delete": (f"/runs/{K}/delete/", views.upload_delete, "send"),
    "upload-record": (f"/runs/{K}/record/", views.upload_record, "send"),
    "study-ask": (f"/runs/{K}/studies/", study_views.study_ask, "send"),
    "documents-ask": (f"/runs/{K}/documents/", study_views.documents_ask, "send"),
    "study-detail": (f"/runs/{K}/studies/5/", study_views.study_detail, "read"),
    "study-format": (f"/runs/{K}/studies/5.json", study_views.study_detail, "read"),
    "study-figures": (f"/runs/{K}/studies/5/figures/", study_views.study_figures, "send"),
    "study-figure": (f"/runs/{K}/studies/5/figures/paper-1/figure-2/", study_views.study_figure, "read"),
    "study-progress": (f"/runs/{K}/studies/5/progress/", study_views.study_progress, "read"),
    "study-delete": (f"/runs/{K}/studies/5/delete/", study_views.study_delete, "send"),
    "judgements-detail": ("/collections/robust/judgements/", views.judgements_detail, "either"),
    "judgements-lines": ("/collections/robust/judgements.qrels", views.judgements_lines, "read"),
    "shipped-run": ("/collections/robust/runs/BM25.run", views.shipped_run, "read"),
}
_GIVEN = {"pk": "5", "paper": "paper-1", "figure": "figure-2", "name": "robust", "run": "BM25", "suffix": "json"}


@pytest.mark.django_db
def test_every_address_has_its_name_and_its_view_and_takes_what_it_is_for():
    for name, (address, view, _) in ADDRESSES.items():
        found = resolve(address)
        assert (found.view_name, found.func) == (f"runs:{name}", view)
        known = {key: str(value) for key, value in found.captured_kwargs.items() if key != "key"}
        assert known == {key: _GIVEN[key] for key in known}
        assert reverse(f"runs:{name}", kwargs=found.captured_kwargs) == address
        assert found.kwargs.get("suffix") == ("json" if address.endswith(".json") else None)
    user, visitor = signed_in(make_user()), Client()
    for address, _, how in ADDRESSES.values():
        ways = {"get": user.get, "post": user.post}
        refused = [name for name, ask in ways.items() if ask(address).status_code == 405]
        assert refused == {"read": ["post"], "send": ["get"], "either": []}[how.removesuffix(", signed in")], address
        if how.endswith("signed in"):
            asked = visitor.get if how.startswith("either") else visitor.post
            answer = asked(address)
            # Who sends something has it back, with a link.
            leads = answer.url if answer.status_code == 302 else answer.content.decode()
            assert answer.status_code in (302, 403), address
            assert "/accounts/login/?next=" in leads, address


def test_the_command_says_what_it_takes():
    parser = Command().create_parser("manage.py", "score_run")
    said = " ".join(parser.format_help().split())
    for words in (
        "score_run", "--collection NAME", "--owner ACCOUNT", "--measure NAME", "--until DAY", "--result NUMBER",
        "FILE", "user name or e-mail address", "the file is a table of topic scores of this",
        "what the system is called (default: as the file)", "the day until which it is kept",
        "the result on record that it is the run of", "put its topic scores behind that result, if its mean is the",
    ):  # fmt: skip
        assert words in said
    given = parser.parse_args(["x.run", "--collection=c", "--owner=o"])
    wanted = {"measure": "", "name": "", "until": "", "result": None, "record": False, "collection": "c", "owner": "o"}
    assert {name: getattr(given, name) for name in wanted} == wanted
    assert given.file.name == "x.run"
    assert parser.parse_args(["x", "--collection=c", "--owner=o", "--result=7", "--record"]).result == 7
    for missing in (["x", "--owner=o"], ["x", "--collection=c"], ["--collection=c", "--owner=o"]):
        with pytest.raises(Exception, match="required"):
            parser.parse_args(missing)
