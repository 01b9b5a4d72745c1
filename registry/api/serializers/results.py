"""Results with their history, systems, papers."""

from rest_framework import serializers as s

from registry.api.serializers.catalog import LeaderboardBrief
from registry.api.serializers.common import address, count, number, printed_unit, text
from registry.lineage.models import SystemFacts as SystemFactsModel
from registry.results.models import Paper as PaperModel
from registry.results.models import Result


class SystemBrief(s.Serializer):
    id = count()
    name = text()
    team = text()
    url = address()


class PaperBrief(s.Serializer):
    id = count()
    cite = text()
    year = count(allow_null=True)
    url = address()


class Entry(s.Serializer):
    """An entry of the journal: who changed what, why."""

    action = text("Dotted and past tense.")
    subject = text()
    actor = text()
    reason = text()


class End(s.Serializer):
    """When and why a result left the record."""

    at = s.DateTimeField()
    superseded_by = count("The result that took its place.", allow_null=True)
    entry = Entry()


class Version(s.Serializer):
    id = count()
    value = number()
    printed = text()
    unit = printed_unit()
    recorded = s.DateTimeField()
    entry = Entry()
    status = s.ChoiceField(["standing", "superseded", "withdrawn"])
    ended = End(allow_null=True)


class ResultBrief(s.Serializer):
    """A system's mean score on a leaderboard, as printed. What was withdrawn or superseded keeps its values."""

    id = count()
    leaderboard = LeaderboardBrief()
    system = SystemBrief()
    paper = PaperBrief(allow_null=True)
    value = number()
    printed = text("The score exactly as its source gives it.")
    unit = printed_unit()
    year = count(allow_null=True)
    date = s.DateField(allow_null=True)
    role = s.ChoiceField(Result.Role.choices)
    run_type = s.ChoiceField(Result.RunType.choices, allow_blank=True)
    provenance = s.ChoiceField(Result.Provenance.choices)
    is_disputed = s.BooleanField(help_text="Somebody calls the score into question, and nobody has decided yet.")
    comparability = s.ChoiceField(Result.Comparability.choices)
    replicate_of = count("The result of which this is another execution.", allow_null=True)
    n_topics = count("Topics behind this mean, where not the leaderboard's.", allow_null=True)
    is_self_reported = s.BooleanField(help_text="Nobody but who made the system ran it.")
    source = text("Where the figure was taken from.")
    locator = text("Where in the source.")
    source_url = text("Where the figure can be seen: that place, in the state that was read; blank where nobody said.")
    notes = text()
    recorded = s.DateTimeField()
    status = s.ChoiceField(["standing", "superseded", "withdrawn"])
    ended = End(allow_null=True)


class ResultDetail(ResultBrief):
    history = Version(many=True, help_text="Every version of this result, the oldest first.")


class WithResults(s.Serializer):
    count = count("Results, on all pages, ended ones included.")
    next_page = text("Token for `page`; null on the last one.", allow_null=True)
    results = ResultBrief(many=True)


class SystemName(s.Serializer):
    name = text()
    team = text()


class SystemFacts(s.Serializer):
    """What the maker of a system says of it."""

    model = text("Its name in the source.")
    organisation = text()
    released = s.DateField(allow_null=True)
    n_parameters = count(allow_null=True)
    n_active_parameters = count("Those that a text passes through.", allow_null=True)
    base_model = text()
    superseded_by = text()
    revision = text()
    has_open_weights = s.BooleanField(allow_null=True)
    licence = text()
    reference = text("Its page.")
    training = s.ChoiceField(SystemFactsModel.Training.choices)
    training_data = s.ListField(child=s.CharField(), help_text="Data sets, as the source lists them.")
    source = text("How it is known.")


class System(SystemBrief, WithResults):
    """What was measured: a run, a model, a configuration."""

    approach = text()
    aliases = SystemName(many=True, help_text="Names that were merged into this one.")
    facts = SystemFacts(allow_null=True)


class Paper(PaperBrief, WithResults):
    """A publication that prints results."""

    title = text()
    authors = text("In their order, divided by semicolons; `et al.` stands last where there are more.")
    venue = text()
    month = count("Where its identifier says it.", allow_null=True)
    kind = s.ChoiceField(PaperModel.Kind.choices, allow_blank=True)
    imprint = s.DictField(child=s.CharField(), help_text="Where it was published: `booktitle`, `series`, `pages` …")
    described_from = text("What title and people were taken from, where a file says it.")
    author_orcids = s.ListField(child=s.CharField(), help_text="ORCID iDs of its authors, as far as they are known.")
    source_url = text("Where to read it.")
    doi = text()
    arxiv_id = text()
    acl_id = text()
    dblp_key = text()
    bibtex = text("As given, never rewritten.")
