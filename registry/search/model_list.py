"""The list of models: size, weights and licence, the mean on a benchmark that a reader chooses, and ties for first."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from django import forms
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry.core.columns import list_file
from registry.core.forms import asked, require_known
from registry.core.http import negotiated
from registry.core.kept import kept_response
from registry.core.listing import grouped
from registry.core.lists import ListColumn, SortedListForm
from registry.curation.lineage.models import SystemFacts
from registry.leaderboards.models import Analysis, SuiteAnalysis
from registry.leaderboards.queries.suites import suites_version
from registry.leaderboards.traits import SIZES, WEIGHTS
from registry.leaderboards.versions import registry_version
from registry.results.models import Model, System
from registry.search.models import Thing
from registry.search.queries import found_ids, index_version

FILE_COLUMNS = (
    "model", "name", "maker", "n_parameters", "has_open_weights", "licence", "released", "benchmark", "mean",
    "could_lead", "n_trained_on", "n_tied", "n_zero_shot", "n_results", "url",
)  # fmt: skip
_KEEP_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedModel:
    """A model as the list shows it."""

    id: int
    slug: str
    name: str
    maker: str
    url: str
    n_parameters: int | None
    has_open_weights: bool | None
    licence: str
    released: str
    mean: Annotated[float | None, "The best of its systems over the benchmark; None unless all of it is zero-shot."]
    could_lead: bool
    n_trained_on: Annotated[int, "Data sets of the benchmark that it was trained on."]
    has_mean: Annotated[bool, "Whether it has a score on every data set of the benchmark."]
    n_tied: Annotated[int, "Leaderboards that it was not trained on where it ties for first."]
    n_zero_shot: Annotated[int, "Leaderboards with a ranking that it was not trained on."]
    n_results: int

    @property
    def weights(self) -> str:
        """“open” or “closed”; blank where not known."""
        return {True: "open", False: "closed", None: ""}[self.has_open_weights]

    @property
    def share(self) -> float:
        """The share of ties for first on the leaderboards that it was not trained on, 0 to 1."""
        return self.n_tied / self.n_zero_shot if self.n_zero_shot else 0.0


_ORDERS: dict[str, Any] = {
    "name": lambda model: model.name.casefold(),
    "size": lambda model: model.n_parameters,
    "released": lambda model: model.released or None,
    "mean": lambda model: model.mean,
    "tied": lambda model: model.n_tied,
    "results": lambda model: model.n_results,
}


class ModelListForm(SortedListForm):
    """Narrows down the list of models, and chooses the benchmark of its means."""

    sorts = tuple(_ORDERS)
    default = "-mean"
    address = "search:model-list"
    named = "Model or maker"

    benchmark = forms.ChoiceField(help_text="The benchmark of the zero-shot mean.")
    size = forms.ChoiceField(choices=[("", "Any size"), *((size, f"at most {size}") for size in SIZES)])
    weights = forms.ChoiceField(choices=[("", "Any weights"), *WEIGHTS.items()])
    licence = forms.ChoiceField()
    maker = forms.CharField(max_length=300, widget=forms.HiddenInput)
    question = forms.CharField(
        max_length=200, widget=forms.HiddenInput, help_text="The search that was read as these choices."
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.benchmarks = {_key(benchmark): benchmark for benchmark in judged_benchmarks()}
        field = self.fields["benchmark"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(key, f"Mean on {benchmark.suite.name}") for key, benchmark in self.benchmarks.items()]
        if not self.benchmarks:
            field.widget = forms.HiddenInput()
        self.offer("licence", "Any licence", ((licence, licence) for licence, _ in counted_licences().most_common(20)))

    def clean_maker(self) -> str:
        maker: str = self.cleaned_data["maker"]
        makers = Model.objects.order_by().values_list("maker", flat=True).distinct() if maker else ()
        return require_known(maker, makers, "model", "maker")

    @property
    def chosen(self) -> SuiteAnalysis | None:
        """The chosen benchmark of the means, else the first; None where none is judged."""
        return self.benchmarks.get(self.cleaned_data["benchmark"]) or next(iter(self.benchmarks.values()), None)


def counted_licences() -> Counter[str]:
    """Return how many systems have each licence."""
    return Counter(SystemFacts.objects.standing().exclude(licence="").order_by().values_list("licence", flat=True))


def judged_benchmarks() -> list[SuiteAnalysis]:
    """Return the benchmarks whose mean is judged, in their order."""
    analyses = SuiteAnalysis.objects.filter(snapshot__isnull=False, suite__is_average=True)
    return list(analyses.select_related("suite", "measure").order_by("suite__position", "pk"))


def _key(benchmark: SuiteAnalysis) -> str:
    return f"{benchmark.suite.slug}/{benchmark.measure.name}"


def read_models(benchmark: SuiteAnalysis | None) -> list[ListedModel]:
    """Return every model with a result and its mean on a benchmark; kept until results, names or analyses change."""
    versions = f"models {registry_version()} {suites_version()} {index_version()} {benchmark and benchmark.pk}"
    key = hashlib.sha256(versions.encode()).hexdigest()
    models: list[ListedModel] | None = caches["figures"].get(key)
    if models is None:
        models = _read_models(benchmark)
        caches["figures"].set(key, models, _KEEP_SECONDS)
    return models


def _read_models(benchmark: SuiteAnalysis | None) -> list[ListedModel]:
    systems = dict(System.objects.filter(model__isnull=False).values_list("pk", "model_id"))
    n_results = dict(Thing.objects.filter(kind=Thing.Kind.MODEL).values_list("object_id", "n_results"))
    n_tied, n_zero_shot = _ties(systems)
    facts: dict[int, SystemFacts] = {}
    for fact in SystemFacts.objects.standing().filter(system__in=systems).order_by("-model", "-pk"):
        facts[systems[fact.system_id]] = fact
    means_of_systems = benchmark.standings.get("placed", ()) if benchmark else ()
    known = [mean for mean in means_of_systems if mean["system"] in systems]
    placed = grouped(known, lambda mean: systems[mean["system"]])
    rows = []
    for model in Model.objects.filter(pk__in=[pk for pk, n in n_results.items() if n]):
        fact, means = facts.get(model.pk), placed.get(model.pk, [])
        n_trained_on = max((mean.get("n_trained_on", 0) for mean in means), default=0)
        zero_shot = [mean for mean in means if mean.get("is_zero_shot") and not n_trained_on]
        best = max(zero_shot, key=lambda mean: mean["mean"], default=None)
        rows.append(
            ListedModel(
                id=model.pk,
                slug=model.slug,
                name=model.name,
                maker=model.maker or (fact.organisation if fact else ""),
                url=model.get_absolute_url(),
                n_parameters=fact.n_parameters if fact else None,
                has_open_weights=fact.has_open_weights if fact else None,
                licence=fact.licence if fact else "",
                released=(model.released or model.published)[:7],
                mean=best["mean"] if best else None,
                could_lead=bool(best and best.get("could_lead")),
                n_trained_on=n_trained_on,
                has_mean=bool(means),
                n_tied=n_tied[model.pk],
                n_zero_shot=n_zero_shot[model.pk],
                n_results=n_results[model.pk],
            )
        )
    return rows


def _ties(systems: dict[int, int]) -> tuple[Counter[int], Counter[int]]:
    """Return the numbers of leaderboards on which each model ties for first and is ranked, without training on them."""
    n_tied, n_zero_shot = Counter[int](), Counter[int]()

    def models(ids: Iterable[int]) -> set[int]:
        return {systems[pk] for pk in ids if pk in systems}

    for standings in Analysis.objects.filter(snapshot__isnull=False).values_list("standings", flat=True).iterator():
        if tied := models(standings.get("tied", ())):
            n_tied.update(tied & models(standings.get("zero_shot", ())) - models(standings.get("trained", ())))
        if standings.get("tied"):
            n_zero_shot.update(models(standings.get("zero_shot", ())) - models(standings.get("trained", ())))
    return n_tied, n_zero_shot


def listed_models(form: ModelListForm) -> list[ListedModel]:
    """Return the models that a valid form asks for, in its order; those without a value for that come last."""
    given = form.cleaned_data
    models = read_models(form.chosen)
    if given["q"]:
        called = found_ids(given["q"], Thing.Kind.MODEL)
        words = given["q"].casefold().split()
        models = [
            model for model in models if model.id in called or all(word in model.maker.casefold() for word in words)
        ]
    if given["size"]:
        most = SIZES[given["size"]]
        models = [model for model in models if model.n_parameters is not None and model.n_parameters <= most]
    for name in filter(given.get, ("weights", "licence")):
        models = [model for model in models if getattr(model, name) == given[name]]
    if given["maker"]:
        models = [model for model in models if model.maker.casefold() == given["maker"].casefold()]
    value = _ORDERS[form.order.removeprefix("-")]
    models = sorted(models, key=lambda model: (-model.n_results, model.name.casefold()))
    known = [model for model in models if value(model) is not None]
    known.sort(key=value, reverse=form.order.startswith("-"))
    return [*known, *(model for model in models if value(model) is None)]


def _cells(model: ListedModel, benchmark: str) -> tuple[Any, ...]:
    return (
        model.slug, model.name, model.maker, model.n_parameters, model.has_open_weights, model.licence, model.released,
        benchmark, model.mean, model.could_lead, model.n_trained_on, model.n_tied, model.n_zero_shot,
        model.n_results, model.url,
    )  # fmt: skip


def columns(benchmark: SuiteAnalysis | None) -> list[ListColumn]:
    return [
        ListColumn("Model", "name"),
        ListColumn("Maker"),
        ListColumn("Size", "size", is_number=True),
        ListColumn("Weights"),
        ListColumn("Licence"),
        ListColumn("Released", "released", is_number=True),
        ListColumn("Zero-shot mean", "mean", is_number=True, title=benchmark.suite.name if benchmark else ""),
        ListColumn("New collections"),
        ListColumn("Tied for first, zero-shot", "tied", is_number=True),
        ListColumn("Results", "results", is_number=True),
    ]


@require_safe
@negotiated("csv", "json")
def model_list(request: HttpRequest, suffix: str = "") -> HttpResponse:
    form = asked(ModelListForm(request.GET))

    def build() -> HttpResponse:
        models, chosen = listed_models(form), form.chosen
        if suffix:
            benchmark = chosen.suite.slug if chosen else ""
            return list_file("models", FILE_COLUMNS, (_cells(model, benchmark) for model in models), suffix)
        context = form.shown(models, columns(chosen), units="Models")
        context |= {"benchmark": chosen, "first": models[0] if models else None}
        if chosen:
            context["n_data_sets"] = chosen.standings.get("n_members")
            context["at"] = reverse("leaderboards:suite-detail", args=[chosen.suite.slug, chosen.measure.name])
            context["n_ranked"] = sum(model.mean is not None for model in models)
            context["n_could_lead"] = sum(model.could_lead for model in models)
        return render(request, "search/model_list.html", context)

    versions = f"{registry_version()} {suites_version()} {index_version()}"
    return kept_response(request, key=f"models {suffix} {versions} {form.number} {form.asked}", build=build)
