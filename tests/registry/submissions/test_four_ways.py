"""The four ways in, by form, table, BibTeX and API, end in the same row of the record."""

import json

import pytest

from registry.accounts.models import User
from registry.results.models import Result
from registry.submissions.models import Submission
from registry.submissions.services.drafting import submit
from registry.submissions.services.reviewing import publish_submission
from tests.registry.api.programs import Program
from tests.registry.factory import make_user
from tests.registry.results.people import signed_in
from tests.registry.submissions.world import make_robust04, only_row
from tests.thoroughness import every

ADDRESS = "https://doi.org/10.1145/3404835.3462812"
BIBTEX = """@inproceedings{doe2021,
  author = {Jane Doe}, title = {A model}, booktitle = {Proceedings of SIGIR 2021}, year = {2021},
  doi = {10.1145/3404835.3462812}
}"""
CELLS = {
    "collection": "Robust04",
    "measure": "map",
    "system": "Model X",
    "value": "0.3010",
    "role": "proposed",
    "team": "A Team",
    "year": "2021",
    "locator": "Table 2, row 5",
    "run_type": "automatic",
    "notes": "trained on MS MARCO",
}
PAPER = {"paper": "Doe (SIGIR 2021)", "paper_url": ADDRESS}


def by_form(user: User) -> None:
    paper = f"{PAPER['paper']} {ADDRESS}"
    response = signed_in(user).post("/submit/", CELLS | {"paper": paper, "step": "check"})
    assert response.status_code == 302, response.content.decode()


def by_bibtex(user: User) -> None:
    cells = {name: text for name, text in CELLS.items() if name != "year"}
    response = signed_in(user).post("/submit/", cells | {"paper": BIBTEX, "step": "check"})
    assert response.status_code == 302, response.content.decode()


def by_table(user: User) -> None:
    columns = CELLS | PAPER
    text = "\t".join(columns) + "\n" + "\t".join(columns.values()) + "\n"
    response = signed_in(user).post("/submit/", {"text": text, "step": "check"})
    assert response.status_code == 302, response.content.decode()


def by_latex(user: User) -> None:
    text = r"""\begin{tabular}{llllc}
    Method & Team & run\_type & Notes & Robust04 MAP \\ \midrule
    \textbf{Model X} & A Team & automatic & trained on MS MARCO & \textbf{0.3010} \\
    \end{tabular}"""
    for_all = {"role": "proposed", "locator": "Table 2, row 5", "paper": BIBTEX}
    response = signed_in(user).post("/submit/", {"text": text, **for_all, "step": "check"})
    assert response.status_code == 302, response.content.decode()


def by_api(user: User) -> None:
    assert Program(user).create([CELLS | PAPER]).status_code == 201


def by_api_as_csv(user: User) -> None:
    columns = CELLS | PAPER
    text = ",".join(columns) + "\n" + ",".join(json.dumps(cell) for cell in columns.values()) + "\n"
    program = Program(user)
    response = program.ask("create_submission", "/api/v1/submissions/", text, content_type="text/csv")
    assert response.status_code == 201, response.content


WAYS = {
    "form": by_form,
    "BibTeX": by_bibtex,
    "table": by_table,
    "LaTeX table": by_latex,
    "API": by_api,
    "API, CSV": by_api_as_csv,
}


def handed_in(way: str) -> Submission:
    """Return what somebody new submitted on this way."""
    before = set(Submission.objects.values_list("pk", flat=True))
    WAYS[way](make_user())
    submission = Submission.objects.exclude(pk__in=before).get()
    if submission.is_open:
        submission = submit(submission=submission, version=submission.version, actor=submission.contributor)
    return submission


def fields(result: Result) -> dict[str, object]:
    """Return everything that is recorded of a result, apart from when and by whom."""
    own = {"id", "system_id", "paper_id", "leaderboard_id", "recorded_at", "recorded_by_id"}
    recorded = {field.attname: getattr(result, field.attname) for field in Result._meta.concrete_fields}
    system, paper = result.system, result.paper
    return {name: value for name, value in recorded.items() if name not in own} | {
        "leaderboard": str(result.leaderboard),
        "system": (system.name, system.team, system.name_key, system.team_key),
        "paper": paper and (paper.identity, paper.cite, paper.url, paper.doi, paper.year),
    }


@pytest.mark.parametrize("way", WAYS)
def test_each_way_ends_in_the_same_row(way):
    board = make_robust04()
    submission = handed_in(way)
    publish_submission(submission=submission, version=submission.version, actor=make_user(is_editor=True))
    assert fields(Result.objects.get()) == {
        "printed": "0.3010", "unit": "", "value": 0.301, "year": 2021, "date": None, "role": "proposed",
        "run_type": "automatic", "provenance": "transcribed", "comparability": "standard", "replicate_of_id": None,
        "n_topics_here": None, "is_self_reported": False, "evaluator": "", "dataset_revision": "",
        "locator": "Table 2, row 5", "source": "Doe (SIGIR 2021)", "notes": "trained on MS MARCO", "ended_at": None,
        "ended_by_id": None, "ending": "", "superseded_by_id": None, "leaderboard": str(board),
        "system": ("Model X", "A Team", "model x", "a team"),
        "paper": ("doi:10.1145/3404835.3462812", "Doe (SIGIR 2021)", ADDRESS, "10.1145/3404835.3462812", 2021),
    }  # fmt: skip


@pytest.mark.parametrize("first", WAYS)
def test_what_came_in_on_one_way_is_known_on_every_other(first):
    make_robust04()
    submission = handed_in(first)
    publish_submission(submission=submission, version=submission.version, actor=make_user(is_editor=True))
    recorded = Result.objects.get()
    for way in every(2, WAYS, __file__, start=list(WAYS).index(first) // 2):
        again = only_row(handed_in(way))
        assert (again.outcome, again.existing) == ("same", recorded), (way, again.cells)
