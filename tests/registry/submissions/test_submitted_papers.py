"""What a contributor's BibTeX tells of a paper reaches the page of the paper, and replaces nothing."""

import pytest

from analysis.readers.bibliography.bibtex import read_bibtex
from registry.journal.models import Entry
from registry.results.models import Paper
from registry.submissions.models import Submission
from registry.submissions.services.drafting import submit
from registry.submissions.services.reviewing import publish_submission
from tests.registry.factory import make_user
from tests.registry.pages import read
from tests.registry.results.people import signed_in
from tests.registry.submissions.test_submit_form import BIBTEX, send
from tests.registry.submissions.world import make_published, make_submitted, row

pytestmark = pytest.mark.usefixtures("board")


DRAFT = read_bibtex(BIBTEX)
ROW = row(**DRAFT.cells())


def publish(submission: Submission) -> Submission:
    editor = make_user(is_editor=True)
    return publish_submission(submission=submission, version=submission.version, actor=editor)


def test_the_paper_is_described_once_its_results_are_published():
    client = signed_in()
    send(client, paper=BIBTEX)
    submission = Submission.objects.get()
    shown = read(client, submission.get_absolute_url()).text
    assert "A model" in shown
    assert "Jane Doe" in shown
    assert not Paper.objects.exists()
    publish(submit(submission=submission, version=submission.version, actor=submission.contributor))
    paper = Paper.objects.get()
    assert (paper.title, paper.authors, paper.venue) == ("A model", "Jane Doe", "Proceedings of SIGIR 2021")
    assert (paper.doi, paper.bibtex) == ("10.1145/3404835.3462812", BIBTEX)
    assert "A model" in read(client, paper.get_absolute_url()).text


def test_what_is_recorded_of_a_paper_stays():
    make_published(rows=[ROW])
    Paper.objects.update(title="The title that an editor corrected", venue="")
    publish(make_submitted(rows=[ROW | {"system": "Model Y"}], paper=DRAFT))
    paper = Paper.objects.get()
    assert (paper.title, paper.venue) == ("The title that an editor corrected", "Proceedings of SIGIR 2021")
    entry = Entry.objects.get(action="results.paper.described")
    assert entry.subject_id == str(paper.pk)
    assert "venue" in entry.after
    assert "title" not in entry.after
