"""Forms of what a reader may ask by the address of a leaderboard, suite or list of collections."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, get_args
from urllib.parse import urlencode

from django import forms
from django.utils.datastructures import MultiValueDict

from analysis.boards import Question, ViewName
from analysis.readers.text import shorten
from registry.catalog.forms import CollectionForm
from registry.catalog.models import Collection, Leaderboard
from registry.catalog.querysets import CollectionQuerySet
from registry.core.forms import NumberField, PageForm, PastDayField, QueryForm, require_known
from registry.core.messages import say
from registry.leaderboards.documents.suite_shapes import RULES
from registry.leaderboards.resolving import SORTS as COLLECTION_SORTS
from registry.leaderboards.resolving import resolving
from registry.leaderboards.traits import SIZES, WEIGHTS, Traits, known_makers
from registry.leaderboards.versions import last_change, last_publication
from registry.results.models import Result

N_MULTIPLIERS = (1, 2, 3, 5, 10, 100)
#: Tries that nobody listed: how many behind each result, and by which share of the variance they differ.
N_TRIES = (1, 3, 10, 30)
TRIES_DIFFER = ("0.05", "0.2", "0.5")
SORTS = ("rank", "system", "team", "year", "role", "provenance", "z", "topic_z")

#: Columns of the table that a reader may choose; ranks, systems and scores are always there.
COLUMNS = (
    "can_be_best", "behind", "rank", "tier", "family", "year", "topic_z", "z", "percentile", "team", "role", "run_type",
    "provenance", "paper",
)  # fmt: skip
RESULTS_PER_PAGE = (20, 50, 300)

DEFAULT_QUESTION = Question()
NO_TRAITS = Traits()


@dataclass(frozen=True, slots=True)
class Selection:
    """A reader's choices, checked; ``query`` has those that were made as the address writes them.

    What only sets out the table, of a page or a file, stands in ``view`` in the same way: what is looked for in it, its
    columns and its length; the page aside.
    """

    question: Question = DEFAULT_QUESTION
    traits: Traits = NO_TRAITS
    scale: str = ""
    as_of: datetime.date | None = None
    published_by: datetime.date | None = None
    sort: str = "rank"
    page: int = 1
    q: str = ""
    columns: tuple[str, ...] = ()
    rows: int = RESULTS_PER_PAGE[0]
    top: int | None = None
    query: dict[str, str] = field(default_factory=dict)
    view: dict[str, str] = field(default_factory=dict)

    @property
    def is_past(self) -> bool:
        """Return whether it asks for an earlier day, of the registry or of the world."""
        return bool(self.as_of or self.published_by)

    @property
    def is_default(self) -> bool:
        """Return whether what it asks is what stands."""
        return self.question.is_default and not self.traits and not self.is_past

    @property
    def address(self) -> dict[str, str]:
        """All of them as the address writes them, the page aside."""
        return self.query | self.view


def _number_of(
    values: Iterable[object], kind: type[float], default: float, key: str, *, label: str = "{}"
) -> forms.TypedChoiceField:
    """Return a choice of one of these numbers, which may be left out; ``key`` is the message that says what it does."""
    choices = [(value, label.format(value)) for value in values]
    return forms.TypedChoiceField(choices=choices, coerce=kind, empty_value=default, help_text=say(key))  # type: ignore[arg-type]


class SelectionForm(QueryForm):
    """Filters of a leaderboard."""

    role = forms.ChoiceField(choices=Result.Role.choices, help_text=say("choose-role"))
    run_type = forms.ChoiceField(choices=Result.RunType.choices[1:], help_text=say("choose-run-type"))
    provenance = forms.ChoiceField(choices=Result.Provenance.choices, help_text=say("choose-provenance"))
    training = forms.ChoiceField(
        choices=[(view, view) for view in get_args(ViewName)], help_text=say("choose-training")
    )
    weights = forms.ChoiceField(choices=[*WEIGHTS.items()], help_text=say("choose-weights"))
    size = forms.ChoiceField(choices=[(size, f"at most {size}") for size in SIZES], help_text=say("choose-size"))
    maker = forms.CharField(max_length=200, help_text=say("choose-maker"))
    since = forms.IntegerField(min_value=1950, max_value=2100, help_text=say("choose-since"))
    counted_roles = forms.CharField(max_length=100, help_text=say("choose-counted-roles"))
    n_multiplier = _number_of(N_MULTIPLIERS, int, 1, "choose-n-multiplier", label="×{}")
    tries = _number_of(N_TRIES, int, 1, "choose-tries")
    tries_differ = _number_of(TRIES_DIFFER, float, 0.2, "choose-tries-differ")
    looks = forms.ChoiceField(choices=[("weekly", "every week")], help_text=say("choose-looks"))
    scale = forms.ChoiceField(
        choices=[(scale, scale) for scale in ("published", "residual", "borrowed")], help_text=say("choose-scale")
    )
    as_of = PastDayField(help_text=say("choose-as-of"))
    published_by = PastDayField(help_text=say("choose-published-by"))
    sort = forms.ChoiceField(
        choices=[(sort, sort) for sort in (*SORTS, *(f"-{sort}" for sort in SORTS))], help_text=say("choose-sort")
    )

    def __init__(
        self, data: MultiValueDict[str, str] | None = None, *, leaderboard_id: int | None = None, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self._leaderboard_id = leaderboard_id

    def clean_maker(self) -> str:
        maker: str = self.cleaned_data["maker"]
        return require_known(maker, known_makers(), "system", "maker") if maker else ""

    def clean_counted_roles(self) -> tuple[str, ...]:
        roles = {role.strip() for role in self.cleaned_data["counted_roles"].split(",") if role.strip()}
        unknown = roles - set(Result.COUNTED_ROLES)
        if unknown:
            known = ", ".join(Result.COUNTED_ROLES)
            raise forms.ValidationError(f"{sorted(unknown)[0]} is not a role that counts; those are {known}.")
        return tuple(sorted(roles))

    def clean(self) -> None:
        """Take the day of the last change by a day, so that days that show the same are the same."""
        for name, last in (("as_of", last_change), ("published_by", last_publication)):
            if self._leaderboard_id and self.cleaned_data.get(name):
                self.cleaned_data[name] = last(self._leaderboard_id, self.cleaned_data[name])

    @property
    def asked(self) -> str:
        """The same text for the same choices, whatever order they came in."""
        selection = self.selection()
        return urlencode([*sorted(selection.address.items()), ("page", selection.page)])

    def selection(self) -> Selection:
        """Return the choices of a valid form."""
        choices: dict[str, Any] = self.cleaned_data
        question = Question(
            counted_roles=choices["counted_roles"],
            role=choices["role"],
            run_type=choices["run_type"],
            provenance=choices["provenance"],
            n_multiplier=choices["n_multiplier"],
            n_tries=choices["tries"],
            # Without tries it makes no difference.
            tries_share=choices["tries_differ"] if choices["tries"] > 1 else DEFAULT_QUESTION.tries_share,
            training=choices["training"],
            looks=choices["looks"],
        )
        names = [name for name in SelectionForm.base_fields if self.data.get(name) and choices[name]]
        query = {name: str(choices[name]) for name in names}
        if question.counted_roles:
            query["counted_roles"] = ",".join(question.counted_roles)
        return Selection(
            question=question,
            traits=Traits(*(choices[name] for name in ("weights", "size", "maker", "since"))),
            scale=choices["scale"],
            as_of=choices["as_of"],
            published_by=choices["published_by"],
            sort=choices["sort"] or "rank",
            query=query,
        )


class FileForm(QueryForm):
    """The rows of a leaderboard or suite that a file holds."""

    hints = dict.fromkeys(("page", "page_size"), "A file has all rows; top=10 has the first ten.")

    top = forms.IntegerField(min_value=1, max_value=1000, help_text=say("choose-top"))

    @property
    def n_rows(self) -> int | None:
        """Return how many results, of a valid form; None for all."""
        top: int | None = self.cleaned_data["top"]
        return top


class FileSelectionForm(FileForm, SelectionForm):
    """Filters of a leaderboard, and how much of it a file holds."""

    def selection(self) -> Selection:
        top = self.n_rows
        return replace(super().selection(), top=top, view={"top": str(top)} if top else {})


class ColumnsField(forms.Field):
    """Columns of the table, with commas between or each by a parameter of its own."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> tuple[str, ...]:
        names = [name.strip() for text in value or [] for name in text.split(",")]
        wanted = set(filter(None, names))
        for name in wanted.difference(COLUMNS):
            known = ", ".join(COLUMNS)
            raise forms.ValidationError(f"There is no column “{shorten(name)}”; choose from {known}.")
        return tuple(name for name in COLUMNS if name in wanted)


class PagedSelectionForm(PageForm, SelectionForm):
    """Filters of a leaderboard, and how its table is set out on the page."""

    repeatable = frozenset({"columns"})

    q = forms.CharField(max_length=100, help_text=say("choose-q"))
    columns = ColumnsField(help_text=say("choose-columns"))
    rows = _number_of(RESULTS_PER_PAGE, int, RESULTS_PER_PAGE[0], "choose-rows")

    def selection(self) -> Selection:
        q, columns, rows = (self.cleaned_data[name] for name in ("q", "columns", "rows"))
        is_long = rows != RESULTS_PER_PAGE[0]
        view = {"q": q, "columns": ",".join(columns), "rows": str(rows) if is_long else ""}
        return replace(
            super().selection(),
            page=self.number,
            q=q,
            columns=columns,
            rows=rows,
            view={name: text for name, text in view.items() if text},
        )


class TrainingForm(QueryForm):
    """The view of training by which a suite is shown."""

    training = SelectionForm.base_fields["training"]


class SuiteFileForm(FileForm, TrainingForm):
    """The rows of a suite that a file holds, by a view of training."""


class SuiteForm(PageForm, TrainingForm):
    """The page of a suite's systems, and the rule by which a winner is named beside the mean's."""

    rule = forms.ChoiceField(choices=[(rule, name) for rule, name in RULES.items() if rule != "mean"])


class CollectionListForm(PageForm, CollectionForm):
    """The page of the list of collections: of those with results, or of those without any."""

    domain = forms.CharField(max_length=100, help_text=say("choose-collections-domain"))
    judge = forms.ChoiceField(choices=[*Collection.JUDGES.items()], help_text=say("choose-collections-judge"))
    results = forms.ChoiceField(choices=[("none", "none")], help_text=say("choose-collections-results"))
    resolves = NumberField(min_value=1e-6, help_text=say("choose-collections-resolves"))
    measure = forms.CharField(max_length=100, help_text=say("choose-collections-measure"))
    sort = forms.ChoiceField(
        choices=[(sort, sort) for sort in (*COLLECTION_SORTS, *(f"-{sort}" for sort in COLLECTION_SORTS))],
        help_text=say("choose-collections-sort"),
    )

    def clean_measure(self) -> str:
        known = Leaderboard.objects.order_by().values_list("measure__name", flat=True).distinct()
        return require_known(self.cleaned_data["measure"], known, "collection", "measure")

    def narrow(self, collections: CollectionQuerySet) -> CollectionQuerySet:
        """Return the collections that a valid form asks for, with what each resolves, in the order that it asks for."""
        choices, matching = self.cleaned_data, self.chosen(collections)
        narrowed = matching.narrowed(domain=choices["domain"], judge=choices["judge"])
        matching = matching if narrowed is None else narrowed
        sort = choices["sort"] or ("" if choices.get("q") else self.default_sort)
        return resolving(matching, at_most=choices["resolves"], measure=choices["measure"], sort=sort)

    @property
    def default_sort(self) -> str:
        """The order of a valid form that asks for none: the smallest difference where that is asked for."""
        return "resolves" if self.cleaned_data["resolves"] else "-results"
