"""Leaderboards, what was found about them, and snapshots."""

from rest_framework import serializers as s

from registry.api.serializers.catalog import CollectionFull, LeaderboardBrief
from registry.api.serializers.common import Paged, address, count, number, number_or_null, text
from registry.leaderboards.models import Analysis, ReferenceSet
from registry.results.models import Result

SCALES = ("published", "residual", "borrowed")


class AnalysisState(s.Serializer):
    """How the analysis stands to the results."""

    state = s.ChoiceField(
        ["current", "stale", "queued", "none", "past"],
        help_text="stale: results changed since, it is being made again; queued: never made yet; none: there can't be "
        "one; past: as of another day.",
    )
    obstacle = s.ChoiceField(Analysis.Obstacle.choices, allow_blank=True, help_text="Why there can't be one.")
    message = text("The same for people.")


class SnapshotBrief(s.Serializer):
    id = text("Start of the SHA-256 of the snapshot's content.")
    url = address()
    created = s.DateTimeField()


class Interval(s.Serializer):
    low = number_or_null("null where it is unbounded.")
    high = number_or_null("null where it is unbounded.")
    confidence_level = number()


class ResidualVariance(s.Serializer):
    """Variance of a score beyond the effects of system and topic, per topic."""

    value = number()
    scale = s.ChoiceField(["residual", "borrowed"], help_text="From this leaderboard's own topics, or from elsewhere.")
    source = text()


class Sensitivity(s.Serializer):
    """The analysis if each result stood for several attempts."""

    n_multiplier = count()
    adjusted_mean = number()
    lower = number()
    upper = number()
    n_plausible = count()


class BestResult(s.Serializer):
    """The best result as an extreme value (Carterette 2015)."""

    scale = s.ChoiceField(SCALES, help_text="Where the standard error comes from.")
    standard_error = number("Sampling standard deviation of a mean that was used.")
    n_topics = count()
    n_results = count("Independent results.")
    n_multiplier = count("Attempts that each result is taken to stand for.")
    n_effective_results = count("n_results times n_multiplier.")
    mean = number()
    sd = number_or_null("ddof = 1")
    best = number("Best score among the contenders.")
    best_id = count("Its result.")
    n_tied = count("Contenders that share it.")
    adjusted_mean = number("The mean whose maximum stays short of the best result with probability `tail`.")
    lower = number("Range of values that are not extreme around the adjusted mean.")
    upper = number()
    tail = number()
    band_probability = number("Probability that all results of equal systems fall into the range together.")
    inflation = number_or_null("(best - adjusted_mean) / best")
    why_no_inflation = text(allow_null=True)
    chance_level = number()
    chance_upper = number("What the largest of as many equal systems around the mean stays below.")
    chance_lower = number("What the smallest stays above.")
    n_above_chance = count()
    n_within_chance = count()
    n_below_chance = count()
    higher_is_better = s.BooleanField()
    n_plausible = count()
    plausible = s.ListField(child=count(), help_text="Contenders at or beyond the far end of the range, by result.")
    sensitivity = Sensitivity(many=True)


class Leader(s.Serializer):
    """Whether the best result is better than every other, from per-topic scores."""

    result = count("The best result.")
    rival = count("The result that it is least clearly better than.")
    pvalue = number("Of the two, paired by topic; as good as corrected for having picked the best.")
    is_verified = s.BooleanField()


class BestSet(s.Serializer):
    """The results that may be the best, at a confidence level."""

    basis = s.ChoiceField(ReferenceSet.Basis.choices)
    method = text("null where there is no set.", allow_null=True)
    why_none = text(allow_null=True)
    confidence_level = number_or_null()
    n_contenders = count(allow_null=True)
    n_members = count()
    members = s.ListField(child=count(), help_text="Results.")
    threshold = number_or_null("Score that members reach, where one score decides.")
    pvalues = s.DictField(child=s.FloatField(), allow_null=True, help_text="By result: may it be the best?")
    why_no_badge = text("Why no result is the verified leader.", allow_null=True)
    leader = Leader(allow_null=True, help_text="null where not all contenders have per-topic scores.")
    residual_variance = ResidualVariance(allow_null=True)


class WinnerAlternative(s.Serializer):
    method = text()
    estimate = number_or_null()
    interval = Interval(allow_null=True)
    why_no_interval = text(allow_null=True)
    why_unbounded = text(allow_null=True)


class Winner(s.Serializer):
    """The best contender's own score, without what it owes to having been selected."""

    result = count("The result.")
    n_tied = count("Contenders that share its score.", allow_null=True)
    raw = number("As published.")
    estimate = number_or_null()
    method = text(allow_null=True)
    shrinkage = number_or_null("1: none; 0: all the way to the mean.")
    standard_error = number_or_null("Over topics.")
    interval = Interval(allow_null=True)
    why_no_interval = text(allow_null=True)
    alternatives = WinnerAlternative(many=True)


class AmongTopicScores(s.Serializer):
    """The same for the results that have per-topic scores, where not all contenders do."""

    n_systems = count()
    best_set = BestSet()
    winner = Winner()


class Scales(s.Serializer):
    """The extreme-value analysis by where its standard error comes from."""

    published = BestResult(required=False)
    residual = BestResult(required=False)
    borrowed = BestResult(required=False)


class Findings(LeaderboardBrief):
    n_results = count("Independent results that enter the analysis; null without one.", allow_null=True)
    mean = number_or_null()
    sd = number_or_null("ddof = 1")
    max = number_or_null()
    best_result = BestResult(allow_null=True, help_text="On the scale asked for; null where it is not among `scales`.")
    scales = Scales()
    recommended_scale = s.ChoiceField(SCALES, allow_null=True, help_text="The scale that the page leads with.")
    best_set = BestSet(allow_null=True)
    winner = Winner(allow_null=True)
    topic_scores = AmongTopicScores(allow_null=True)
    residual_variance = ResidualVariance(allow_null=True)
    cautions = s.ListField(child=s.CharField(), help_text="What the statistics warned of.")


class ReferenceSetBrief(s.Serializer):
    """The systems that z and percentile are taken against."""

    name = text()
    n_systems = count()
    frozen = s.DateField()
    basis = s.ChoiceField(ReferenceSet.Basis.choices)


class ReferenceSets(ReferenceSetBrief):
    topic_scores = ReferenceSetBrief(allow_null=True, help_text="The set that topic_z is taken against.")


class LeftOut(s.Serializer):
    reason = text()
    n = count()


class Facets(s.Serializer):
    """How many results there are of each kind."""

    role = s.DictField(child=count())
    run_type = s.DictField(child=count())
    evidence = s.DictField(child=count())


class Row(s.Serializer):
    """A result on a leaderboard."""

    id = count()
    rank = count("1-2-2-4; null for what is not counted.", allow_null=True)
    tier = count("1: can't be told from the best.", allow_null=True)
    in_best_set = s.BooleanField()
    plausible = s.BooleanField()
    system = text()
    system_id = count()
    team = text()
    value = number()
    printed = text("The score exactly as its source gives it.")
    year = count(allow_null=True)
    role = s.ChoiceField(Result.Role.choices)
    role_label = text()
    run_type = s.ChoiceField(Result.RunType.choices, allow_blank=True)
    evidence = s.ChoiceField(Result.Evidence.choices)
    evidence_label = text()
    is_disputed = s.BooleanField(help_text="Somebody calls the score into question, and nobody has decided yet.")
    why_not_counted = text("Blank where it counts.")
    paper = text(allow_null=True)
    paper_id = count(allow_null=True)
    source = text()
    notes = text()
    z = number_or_null("Against the means of the reference set.")
    percentile = number_or_null("Among the means of the reference set, 0 to 100.")
    topic_z = number_or_null("Mean of the z-scores by topic, where there are scores by topic.")


class Leaderboard(Findings):
    """Everything about a leaderboard under the reader's choices."""

    as_of = s.DateField(allow_null=True)
    published_by = s.DateField(allow_null=True)
    n_undated = count("Results left out because nobody knows when they were published.", allow_null=True)
    selection = s.DictField(child=s.CharField(), help_text="The choices that were made in the address.")
    analysis = AnalysisState()
    reference_set = ReferenceSets(allow_null=True)
    snapshot = SnapshotBrief(allow_null=True)
    left_out = LeftOut(many=True, help_text="What is shown and not counted.")
    facets = Facets()
    count = count("Results under these choices, on all pages.")
    next_page = text("Token for `page`; null on the last one.", allow_null=True)
    results = Row(many=True)


class LeaderboardSummary(LeaderboardBrief):
    """A leaderboard in a list, with the headline of its analysis as published; null where it has none."""

    analysis = AnalysisState()
    n_recorded = count("Results, counted or not, when it was analysed last.", allow_null=True)
    n_results = count("Independent results, when it was analysed last.", allow_null=True)
    mean = number_or_null()
    sd = number_or_null()
    best = number_or_null()
    adjusted_mean = number_or_null()
    lower = number_or_null()
    upper = number_or_null()
    inflation = number_or_null()
    n_plausible = count(allow_null=True)
    n_best_set = count("Members of the best set.", allow_null=True)
    best_set_basis = s.ChoiceField(ReferenceSet.Basis.choices, allow_null=True)
    winner_estimate = number_or_null()
    snapshot = SnapshotBrief(allow_null=True)


class LeaderboardList(Paged):
    results = LeaderboardSummary(many=True)


class CollectionDetail(CollectionFull):
    leaderboards = LeaderboardSummary(many=True, help_text="Those with results, the most independent ones first.")


class Snapshot(Findings):
    """One analysis of one leaderboard, kept for good."""

    snapshot = SnapshotBrief()
    content = s.DictField(help_text="Inputs, methods and results as they were hashed; format plumbline-snapshot/1.")
