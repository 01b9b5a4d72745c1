"""Names that may mean several things, in what programs ask and hand in: the code ``ambiguous``, with the candidates."""

from registry.submissions.models import Submission
from tests.registry.api.programs import Program
from tests.registry.submissions.world import make_deep_learning, row


def test_a_choice_is_asked_for_until_one_of_them_is_written():
    make_deep_learning()
    program, rows = Program(), [row(collection="DL19"), row(collection="dl-doc")]
    refused = program.create(rows, submit=True)
    assert refused.status_code == 422
    first, second = program.create(rows, query="?dry_run=true").json()["results"]
    assert second["outcome"] == "new"
    assert not Submission.objects.exists()
    draft = program.create(rows[:1]).json()
    message = "'DL19' may be dl-passage or dl-doc. Passage or document ranking?"
    for part, start in (
        (refused.json()["errors"], "row 1: "),
        (first["rejections"], ""),
        (draft["results"][0]["rejections"], ""),
    ):
        (error,) = part
        assert (error["field"], error["code"]) == ("collection", "ambiguous")
        assert start + message in error["message"]
        assert error["candidates"] == [
            {"value": "dl-passage", "label": "DL 2019 passage ranking", "detail": "passages"},
            {"value": "dl-doc", "label": "DL 2019 document ranking", "detail": "documents"},
        ]
    changed = program.change("update_row", draft, "rows/1/", {"collection": "dl-passage"})
    assert changed.json()["results"][0]["outcome"] == "new"
