"""What is handed in, and what became of it."""

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers as s

from registry.api.serializers.common import ErrorPart, Paged, address, count, printed_unit, text
from registry.submissions import models

_OUTCOMES = ["unchecked", "new", "same", "differs", "refused"]


@extend_schema_field({"type": ["string", "number", "null"]})
class _Printed(s.CharField):
    """Digits: as text, or as a number, of which the digits are kept as they are written."""


def cell(help_text: str) -> s.CharField:
    return s.CharField(required=False, allow_null=True, allow_blank=True, max_length=20_000, help_text=help_text)


def digits(help_text: str) -> s.CharField:
    return _Printed(required=False, help_text=help_text)


class Cells(s.Serializer):
    """A result as its source gives it; columns that are left out are blank. docs/importing.md explains each."""

    collection = cell("Slug, id in ir_datasets or alias.")
    measure = cell("Name or alias, as `nDCG@10`.")
    system = cell("As the source calls it.")
    value = digits('The score exactly as printed: best as text, `"0.30"`.')
    unit = cell("`percent` where the score is; blank for the unit of the measure.")
    role = cell("`proposed`, `baseline`, `trec_run`, `leaderboard` or `reference_implementation`.")
    source = cell("Where the figure was taken from; the paper, where it says none.")
    year = digits("When it was published.")
    date = cell("As 2004-11-19, where the day is known.")
    run_type = cell("`automatic` or `manual`.")
    team = cell("Who ran the system.")
    paper = cell("Short citation, as `Diaz (CIKM 2005)`.")
    paper_url = cell("Address of the paper; best one with its DOI, arXiv, ACL or DBLP id.")
    provenance = cell("Left blank: it is raised by others who read the same, or by per-topic scores.")
    comparability = cell("`standard`, or how the setting departs from it.")
    replicate_of = cell("The first instance, where this is another execution of the same system.")
    n_topics = digits("Topics behind this mean, where not all of the collection's.")
    self_reported = cell("`yes` where nobody but who made the system ran it, and the source says so.")
    locator = cell("Where in the source: Table 2, row 3.")
    notes = cell("Anything else.")


class RowsBody(s.Serializer):
    """Results in our format; as CSV and in the other formats the body is a text.

    What stands beside the results holds for those that leave it blank."""

    collection = cell("Of the results that name none; so are the others.")
    measure = cell("As `nDCG@10`.")
    system = cell("As the source calls it.")
    role = cell("As `baseline`.")
    unit = cell("`percent` where the scores are.")
    paper = cell("Short citation.")
    paper_url = cell("Address or identifier of the paper.")
    year = digits("When it was published.")
    source = cell("Where the figures were taken from.")
    locator = cell("Where in the source: Table 2.")
    format = s.ChoiceField(["plumbline-results"], required=False, help_text="As our own files say.")
    version = s.IntegerField(min_value=1, max_value=1, required=False, help_text="As our own files say.")
    results = Cells(many=True, min_length=1, max_length=10_000)


class ResultsFile(s.Serializer):
    """Results in our format, which can be handed in again. Every Eval Ever is JSON as well, and has a schema of its
    own."""

    format = text(required=False)
    version = count(required=False)
    results = Cells(many=True, required=False)


class ResultsBody(RowsBody):
    """Results in our format, with what is wished for them."""

    note = s.CharField(required=False, allow_null=True, allow_blank=True, max_length=5_000)
    embargo_until = s.DateField(required=False, allow_null=True)
    is_anonymous = s.BooleanField(required=False, allow_null=True)
    submit = s.BooleanField(required=False, allow_null=True)


class SignalShown(s.Serializer):
    """Something about a row that a reviewer should look at."""

    code = s.ChoiceField(models.Signal.Code.choices)
    severity = s.ChoiceField(models.Signal.Severity.choices)
    message = text()


class Existing(s.Serializer):
    """The result that stands there already."""

    id = count()
    url = address()
    system = text()
    printed = text()
    unit = printed_unit()
    source = text()


class Place(s.Serializer):
    """Where a score would stand among the counted results, if all rows were published."""

    rank = count()
    n_results = count("Itself included.")


class Row(s.Serializer):
    """A row as it was given, and what its last check found."""

    line = count("Place in the list, or line of the text.")
    cells = s.DictField(child=s.CharField(), help_text="As given; blank ones are left out.")
    outcome = s.ChoiceField(_OUTCOMES, help_text="What would become of it.")
    rejections = ErrorPart(many=True, help_text="Why it is refused.")
    signals = SignalShown(many=True)
    existing = Existing(allow_null=True)


class StoredRow(Row):
    result = count("The result that it became, once published.", allow_null=True)


class CheckedRow(Row):
    place = Place(allow_null=True, help_text="Null where it is refused, or would not count.")


class CheckedCounts(s.Serializer):
    """Rows by what would become of them."""

    rows = count("All.")
    new = count()
    same = count("Recorded like this already.")
    differs = count("Recorded with another content, which it would supersede.")
    refused = count()


class Counts(CheckedCounts):
    """Rows by what would become of them, as far as they are checked."""

    unchecked = count("Still to be checked by a job.")


class DryRun(s.Serializer):
    """What would become of rows; nothing was stored."""

    dry_run = s.BooleanField()
    counts = CheckedCounts()
    results = CheckedRow(many=True)


class Submission(s.Serializer):
    """Rows that one person hands in together."""

    id = s.UUIDField()
    url = address()
    state = s.ChoiceField(models.Submission.State.choices)
    version = count("Goes up with every change; the ETag.")
    way = s.ChoiceField(models.Submission.Way.choices, help_text="How it came in.")
    contributor = text("Null while the name is kept from reviewers.", allow_null=True)
    note = text("What the reviewer should know.")
    embargo_until = s.DateField(allow_null=True)
    is_anonymous = s.BooleanField()
    created = s.DateTimeField()
    submitted = s.DateTimeField(allow_null=True)
    decided = s.DateTimeField(allow_null=True)
    decision_reason = text()
    counts = Counts()


class SubmissionList(Paged):
    results = Submission(many=True)


class SubmissionWithRows(Submission):
    """A submission with a page of its rows."""

    count = count("Rows, on all pages.")
    next_page = text("Token for `page`; null on the last one.", allow_null=True)
    results = StoredRow(many=True)


class Errand(s.Serializer):
    """A large request that a worker answers."""

    id = s.UUIDField()
    url = address("Where its answer will be, as it would have come at once.")
    state = s.ChoiceField(["queued", "running", "failed"])
    message = text("What somebody who waits should know; blank while all is well.")
    created = s.DateTimeField()


DryRunOrSubmission = PolymorphicProxySerializer(
    component_name="DryRunOrSubmission", serializers=[DryRun, SubmissionWithRows], resource_type_field_name=None
)
