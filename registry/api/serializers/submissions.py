"""What is handed in, or sent to be scored, and what became of it."""

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers as s

from registry.api.serializers.derived import AnyField, describe, paged
from registry.runs.documents import OwnCollectionDocument, PublicOwnCollection, UploadDocument
from registry.runs.own_forms import BegunOwnCollection, SentOwnCollection, SentOwnMeasure
from registry.submissions import answers


@extend_schema_field({"type": ["string", "number", "null"]})
class _Printed(s.CharField):
    """Digits: as text, or as a number, of which the digits are kept as they are written."""


def cell(help_text: str) -> s.CharField:
    return s.CharField(required=False, allow_null=True, allow_blank=True, max_length=20_000, help_text=help_text)


def digits(help_text: str) -> s.CharField:
    return _Printed(required=False, help_text=help_text)


Cells = describe(
    "Cells",
    meaning="A result as its source gives it; columns that are left out are blank. docs/importing.md explains each.",
    collection=cell("Slug, id in ir_datasets or alias."),
    measure=cell("Name or alias, as `nDCG@10`."),
    system=cell("As the source calls it."),
    value=digits('The score exactly as printed: best as text, `"0.30"`.'),
    unit=cell("`percent` where the score is; blank for the unit of the measure."),
    role=cell("`proposed`, `baseline`, `trec_run`, `leaderboard` or `reference_implementation`."),
    source=cell("Where the figure was taken from; the paper, where it says none."),
    year=digits("When it was published."),
    date=cell("As 2004-11-19, where the day is known."),
    run_type=cell("`automatic` or `manual`."),
    team=cell("Who ran the system."),
    paper=cell("Short citation, as `Diaz (CIKM 2005)`."),
    paper_url=cell("Address of the paper; best one with its DOI, arXiv, ACL or DBLP id."),
    provenance=cell("Left blank: it is raised by others who read the same, or by per-topic scores."),
    comparability=cell("`standard`, or how the setting departs from it."),
    replicate_of=cell("The first instance, where this is another execution of the same system."),
    n_topics=digits("Topics behind this mean, where not all of the collection's."),
    self_reported=cell("`yes` where nobody but who made the system ran it, and the source says so."),
    locator=cell("Where in the source: Table 2, row 3."),
    notes=cell("Anything else."),
)
_ROWS: dict[str, AnyField] = {
    "collection": cell("Of the results that name none; so are the others."),
    "measure": cell("As `nDCG@10`."),
    "system": cell("As the source calls it."),
    "role": cell("As `baseline`."),
    "unit": cell("`percent` where the scores are."),
    "paper": cell("Short citation."),
    "paper_url": cell("Address or identifier of the paper."),
    "year": digits("When it was published."),
    "source": cell("Where the figures were taken from."),
    "locator": cell("Where in the source: Table 2."),
    "format": s.ChoiceField(["plumbline-results"], required=False, help_text="As our own files say."),
    "version": s.IntegerField(min_value=1, max_value=1, required=False, help_text="As our own files say."),
    "results": s.ListSerializer(child=Cells(), min_length=1, max_length=10_000),
}
RowsBody = describe(
    "RowsBody",
    meaning="Results in our format; as CSV and in the other formats the body is a text.\n\n"
    "What stands beside the results holds for those that leave it blank.",
    **_ROWS,
)
ResultsBody = describe(
    "ResultsBody",
    meaning="Results in our format, with what is wished for them.",
    **_ROWS,
    note=s.CharField(required=False, allow_null=True, allow_blank=True, max_length=5_000),
    submit=s.BooleanField(required=False, allow_null=True),
)
ResultsFile = describe(
    "ResultsFile",
    meaning="Results in our format, which can be handed in again. Every Eval Ever is JSON as well, and has a schema of"
    " its own.",
    format=s.CharField(required=False, allow_blank=True),
    version=s.IntegerField(min_value=0, required=False),
    results=Cells(many=True, required=False),
)
Run = describe("Run", UploadDocument)
OwnCollection = describe("OwnCollection", OwnCollectionDocument)
OwnCollectionList = describe(
    "OwnCollectionList", meaning="One's own collections.", collections=OwnCollection(many=True)
)
PublicOwnCollections = paged(
    "PublicOwnCollections",
    describe("PublicOwnCollection", PublicOwnCollection),
    meaning="Collections that people show to everybody, in pages. None is on record, none was reviewed.",
)
OwnCollectionBody = describe("OwnCollectionBody", SentOwnCollection)
BegunOwnCollectionBody = describe("BegunOwnCollectionBody", BegunOwnCollection)
OwnMeasureBody = describe("OwnMeasureBody", SentOwnMeasure)
RunList = paged("RunList", Run, meaning="One's runs and tables of topic scores, in pages.")
DryRun = describe("DryRun", answers.DryRun)
SubmissionList = paged(
    "SubmissionList", describe("Submission", answers.SubmissionAnswer), meaning="One's submissions, in pages."
)
SubmissionWithRows = describe("SubmissionWithRows", answers.SubmissionWithRows)
DryRunOrSubmission = PolymorphicProxySerializer(
    component_name="DryRunOrSubmission", serializers=[DryRun, SubmissionWithRows], resource_type_field_name=None
)
