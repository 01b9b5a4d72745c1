"""The document of a suite, of one of its snapshots, and of suites in a list, whether or not people quote their mean.

Everything in it is of the snapshot that stands, so that scores, verdicts and members never are of different days.
"""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

from django.urls import reverse
from django.utils.text import get_text_list

from analysis.boards import (
    Evidence,
    SuiteFindings,
    SuiteInputs,
    SuiteSnapshot,
    SuiteUplift,
    UpliftOnMember,
    Verdict,
    View,
    describe_evidence,
    suite_places,
)
from analysis.readers.identifiers import slug_of_system
from analysis.readers.text import comparison_key
from registry.catalog.access import get_visible_measure
from registry.catalog.documents import Document, MeasureBrief
from registry.catalog.models import Collection, Leaderboard
from registry.core.documents import document_of
from registry.core.http import must_exist
from registry.core.listing import listed
from registry.core.messages import say
from registry.core.templatetags.formatting import score
from registry.curation.suites.models import Suite
from registry.leaderboards.documents.boards import (
    analysis_state,
    describe_snapshot,
    snapshot_document,
    verdict_in_words,
)
from registry.leaderboards.documents.printed_means import printed_means
from registry.leaderboards.documents.rows import Marks
from registry.leaderboards.documents.shapes import AnalysisState, SnapshotDocument, VerdictDocument
from registry.leaderboards.documents.suite_shapes import (
    RULES,
    ListedMemberDocument,
    MemberUpliftDocument,
    SuiteBrief,
    SuiteDocument,
    SuiteList,
    SuiteListed,
    SuiteMemberDocument,
    SuiteRecord,
    SuiteRowDocument,
    SuiteRuleDocument,
    SuiteRulesDocument,
    SuiteSnapshotDocument,
    SuiteSummary,
    SuiteUpliftDocument,
    of_100,
)
from registry.leaderboards.headlines import claimed
from registry.leaderboards.models import Snapshot, SuiteAnalysis
from registry.leaderboards.queries.boards import read_kept
from registry.leaderboards.queries.suites import (
    ListedMember,
    MembersState,
    SuiteBoard,
    listed_members,
    members_state,
    members_states,
    read_suite,
    suite_boards,
    suites_without_mean,
)
from registry.leaderboards.studies import shown_headline


def suite_document(board: SuiteBoard, view: str = "") -> SuiteDocument:
    """Return everything about a suite as its standing analysis has it, by a view of training or else by the one that
    leads."""
    analysis = SuiteAnalysis.objects.select_related("snapshot").filter(suite=board.suite, measure=board.measure).first()
    snapshot = analysis.snapshot if analysis else None
    stored = read_kept(snapshot, SuiteSnapshot)
    is_chosen = bool(view) and (stored is None or view != stored.findings.other_collections.view)
    if is_chosen:
        stored = _seen_as(must_exist(stored, say("suite-no-view", name=board.suite.name)), view)
    rows = suite_rows(stored.inputs, stored.findings) if stored else ()
    members = _members(board, stored.inputs if stored else None)
    return SuiteDocument(
        **_described(board),
        selection={"training": view} if is_chosen else {},
        verdict=_verdict(stored),
        analysis=_state(board, members_state(board), analysis),
        members=members,
        rules=describe_rules(stored.inputs, stored.findings) if stored and stored.findings.rules else None,
        uplift=describe_uplift(stored.inputs, stored.findings.uplift) if stored and stored.findings.uplift else None,
        n_incomplete=len(stored.findings.incomplete) if stored else None,
        printed_means=printed_means(board, rows, members),
        snapshot=describe_snapshot(snapshot) if snapshot else None,
        count=len(rows),
        next_page=None,
        results=rows,
    )


def _seen_as(stored: SuiteSnapshot, name: str) -> SuiteSnapshot:
    """Return the snapshot by another view of training."""

    def seen(verdict: Verdict) -> Verdict:
        chosen = next((view for view in verdict.views if view.view == name), None)
        view = must_exist(chosen, say("suite-no-view", name=stored.inputs.name))
        return replace(verdict, **{field.name: getattr(view, field.name) for field in fields(View)})

    findings = stored.findings
    other, same = seen(findings.other_collections), seen(findings.same_collections)
    return replace(stored, findings=replace(findings, other_collections=other, same_collections=same))


def suite_summaries() -> Iterator[SuiteSummary]:
    """Yield all suites whose mean people quote, as lists show them."""
    analyses = SuiteAnalysis.objects.select_related("snapshot").defer("snapshot__content")
    by_board = {(analysis.suite_id, analysis.measure_id): analysis for analysis in analyses}
    boards = suite_boards()
    for board, state in zip(boards, members_states(boards), strict=True):
        analysis = by_board.get((board.suite.pk, board.measure.pk))
        yield SuiteSummary(
            **_described(board),
            n_members=len(board.members),
            analysis=_state(board, state, analysis),
            headline=shown_headline(analysis),
            snapshot=describe_snapshot(analysis.snapshot) if analysis and analysis.snapshot else None,
        )


def any_snapshot_document(snapshot: Snapshot) -> SnapshotDocument | SuiteSnapshotDocument:
    """Return a snapshot, of a leaderboard or of a suite, as it can be cited."""
    if snapshot.suite is None:
        return snapshot_document(snapshot)
    content = json.loads(snapshot.content)
    board = SuiteBoard(snapshot.suite, get_visible_measure(content["inputs"]["measure"]["name"]), members=())
    return SuiteSnapshotDocument(
        **_described(board),
        verdict=_verdict(read_kept(snapshot, SuiteSnapshot)),
        snapshot=describe_snapshot(snapshot),
        content=content,
    )


def describe_suite(suite: Suite) -> SuiteBrief:
    """Return a suite as its boards mention it."""
    return document_of(SuiteBrief, suite, source_url=suite.url)


def _described(board: SuiteBoard) -> Document:
    return {
        "suite": describe_suite(board.suite),
        "measure": document_of(MeasureBrief, board.measure),
        "url": board.get_absolute_url(),
    }


def _state(board: SuiteBoard, members: MembersState, analysis: SuiteAnalysis | None) -> AnalysisState:
    if analysis is None:
        return analysis_state("queued", "", row="system")
    state = "none" if analysis.obstacle else "current"
    if analysis.version != members.version:
        state = "stale"
    shown = analysis_state(state, analysis.obstacle, row="system", obstacles=SuiteAnalysis.Obstacle)
    if state != "none":
        return shown
    inputs = read_suite(board, members)
    return replace(shown, message=_nearest(inputs) if inputs else _waits_for(board, members))


def _waits_for(board: SuiteBoard, members: MembersState) -> str:
    """Return why there is no analysis of a mean: which members have none, and why."""
    names = {member.collection_id: member.collection.name for member in board.members}
    doubtful = Leaderboard.objects.filter(collection__in=names, measure=board.measure, is_doubtful=True)
    why = dict.fromkeys(doubtful.values_list("collection", flat=True), "doubtful")
    why |= dict.fromkeys(members.unseen, "unseen")
    lacking: dict[str, list[str]] = {}
    for pk in (pk for pk in names if members.snapshots[pk] is None):
        lacking.setdefault(why.get(pk, "waiting"), []).append(names[pk])
    reasons = [say(f"state-waits-{kind}", names=_first_names(rest), n=len(rest)) for kind, rest in lacking.items()]
    return " ".join([say("state-waits", n_members=len(names), measure=board.measure.name), *reasons])


def _nearest(inputs: SuiteInputs) -> str:
    """Return which systems come nearest to a score on every member, and what they lack, most often lacking first."""
    n_lacking = min(row.scores.count(None) for row in inputs.rows)
    nearest = [row for row in inputs.rows if row.scores.count(None) == n_lacking]
    lacking = Counter(place for row in nearest for place, score in enumerate(row.scores) if score is None)
    lacked = [inputs.members[place].name for place, _ in lacking.most_common()]
    names = _first_names(lacked, all_of=len(lacking) == n_lacking)
    n, system = len(inputs.members), nearest[0].system
    return say("state-nearest", n=len(nearest), system=system, n_members=n, n_known=n - n_lacking, names=names)


def _first_names(names: Sequence[str], *, all_of: bool = True) -> str:
    """Return the first five names as a sentence lists them, with how many more there are."""
    more = [f"{len(names) - 5} more"] if len(names) > 5 else []
    return get_text_list([*names[:5], *more], last_word="and" if all_of else "or")


def _verdict(stored: SuiteSnapshot | None) -> VerdictDocument | None:
    """Return the verdict on other collections; which may be the best on these is a column of the rows."""
    if stored is None:
        return None
    inputs, findings = stored.inputs, stored.findings
    return verdict_in_words(claimed(inputs, findings), describe_evidence(inputs, findings))


def _members(board: SuiteBoard, inputs: SuiteInputs | None) -> tuple[SuiteMemberDocument, ...]:
    """Return the members of the analysis, before the first one those on record, as they are described today."""
    facts: list[tuple[str, str, str, int | None, Evidence | None, str]]
    if inputs is None:
        recorded = [(member.collection, member.task) for member in board.members]
        facts = [
            (collection.slug, collection.name, "", collection.n_topics or collection.n_topics_at_least, None, task)
            for collection, task in recorded
        ]
    else:
        facts = [
            (member.collection, member.name, member.snapshot, member.n_topics, member.evidence, member.task)
            for member in inputs.members
        ]
    collections = Collection.objects.filter(slug__in=[slug for slug, *_ in facts])
    described = {collection.slug: collection for collection in collections}
    boards = Leaderboard.objects.with_names().filter(
        collection__in=described.values(), measure=board.measure, results_version__gt=0
    )
    with_results = {leaderboard.collection.slug: leaderboard for leaderboard in boards}
    return tuple(
        document_of(
            SuiteMemberDocument,
            described[slug],
            collection=slug,
            name=name,
            url=with_results.get(slug, described[slug]).get_absolute_url(),
            has_results=slug in with_results,
            snapshot=reverse("leaderboards:snapshot-detail", args=[snapshot]) if snapshot else "",
            n_topics=n_topics,
            evidence=evidence,
            task=task,
        )
        for slug, name, snapshot, n_topics, evidence, task in facts
    )


def suite_rows(inputs: SuiteInputs, findings: SuiteFindings) -> tuple[SuiteRowDocument, ...]:
    """Return the systems as an analysis has them: those that compete first, best first."""
    by_id = {row.id: row for row in inputs.rows}
    slugs = [member.collection for member in inputs.members]
    values = {mean.result: mean.value for mean in findings.means}
    missing = {entry.result: entry.missing for entry in findings.incomplete}
    families = {result: number for number, family in enumerate(findings.families, start=1) for result in family.results}
    view = findings.other_collections.view
    judged = [result for result in values if view in ("all", by_id[result].view)]
    other, here = Marks(findings.other_collections, judged), Marks(findings.same_collections, judged)
    ranked = set(judged) - other.held_back
    ranges, guesses = (findings.rules.places, findings.rules.guessed) if findings.rules else ((), ())
    if findings.rules and len(ranked) < len(values):
        # Ranks are among those that are ranked.
        rows = tuple(row for row in inputs.rows if row.id in ranked or row.id in missing)
        ranges, guesses = suite_places(replace(inputs, rows=rows))
    places, guessed = {place.result: place for place in ranges}, {guess.result: guess for guess in guesses}
    best, tells = findings.other_collections.shown.value, findings.same_collections.is_telling
    sign = 1.0 if inputs.measure.higher_is_better else -1.0
    counted = sorted(-sign * value for result, value in values.items() if result not in other.held_back)
    ranks = {result: 1 + bisect_left(counted, -sign * value) for result, value in values.items()}
    incomplete = sorted(missing, key=lambda system: (len(missing[system]), by_id[system].system.casefold(), system))

    def described(system: int) -> SuiteRowDocument:
        row, place, guess = by_id[system], places.get(system), guessed.get(system)
        return document_of(
            SuiteRowDocument,
            row,
            slug=slug_of_system(comparison_key(row.system), comparison_key(row.team)),
            rank=ranks.get(system),
            value=values.get(system),
            can_be_best=other.can_be_best.get(system),
            can_be_best_unflagged=other.can_be_best_unflagged.get(system),
            can_be_best_here=here.can_be_best.get(system) if tells else None,
            can_be_best_here_unflagged=here.can_be_best_unflagged.get(system) if tells else None,
            behind=sign * (best - values[system]) if system in values else None,
            family=families.get(system),
            is_held_back=system in other.held_back,
            training=row.training_on_members,
            cautions=other.cautions.get(system, ()),
            place_low=place.low if place else None,
            place_high=place.high if place else None,
            new_low=place.low_on_new if place else None,
            new_high=place.high_on_new if place else None,
            place_guessed=guess.place if guess else None,
            guessed_within=guess.within if guess else None,
            missing=tuple(slugs[member] for member in missing.get(system, ())),
        )

    return tuple(map(described, [*values, *incomplete]))


def suite_list() -> SuiteList:
    """Return all suites in a list."""
    results = tuple(suite_summaries())
    lists = tuple(
        SuiteListed(suite=describe_suite(suite), url=_record_address(suite), n_members=getattr(suite, "n_members", 0))
        for suite in suites_without_mean()
    )
    return SuiteList(count=len(results), results=results, lists=lists)


def suite_record(suite: Suite) -> SuiteRecord:
    """Return a suite with its collections."""
    members = suite.members.filter(part_of=None).select_related("collection", "measure")
    return SuiteRecord(
        suite=describe_suite(suite),
        url=_record_address(suite),
        is_average=suite.is_average,
        members=tuple(_listed_member(member) for member in listed_members(members)),
    )


def _record_address(suite: Suite) -> str:
    return reverse("leaderboards:suite-first", args=[suite.slug])


def _listed_member(member: ListedMember) -> ListedMemberDocument:
    collection, board = member.collection, member.board
    return document_of(
        ListedMemberDocument,
        collection,
        collection=collection.slug,
        measure=member.measure.name,
        url=(board or collection).get_absolute_url(),
        has_results=board is not None,
        n_topics=collection.n_topics or collection.n_topics_at_least,
        task=member.task,
    )


def describe_rules(inputs: SuiteInputs, findings: SuiteFindings) -> SuiteRulesDocument:
    """Return the rules with the names of their winners: of all systems, whatever the view that the verdict is on."""
    rules, is_part = findings.rules, findings.other_collections.view != "all"
    assert rules is not None
    names = {row.id: row.system for row in inputs.rows}
    mean = rules.rules[0]
    first = [mean.winner, *mean.tied]
    sentence = say(
        "rules",
        n=len(rules.places) if is_part else 0,
        n_rules=len(rules.rules),
        n_same=sum([rule.winner, *rule.tied] == first for rule in rules.rules),
        names=listed([names[winner] for winner in first]),
        n_members=len(set(inputs.tasks or inputs.members)),
        unit="tasks" if inputs.tasks else "data sets",
        wins=of_100(mean.wins),
    )
    return SuiteRulesDocument(
        sentence=sentence,
        rules=tuple(
            document_of(
                SuiteRuleDocument,
                rule,
                name=RULES[rule.rule],
                system=names[rule.winner],
                tied_systems=tuple(names[other] for other in rule.tied),
            )
            for rule in rules.rules
        ),
        beats_all=rules.beats_all,
    )


def describe_uplift(inputs: SuiteInputs, uplift: SuiteUplift) -> SuiteUpliftDocument:
    """Return the uplift with the names of members."""
    return document_of(
        SuiteUpliftDocument,
        uplift,
        sentence=say(
            "uplift",
            size=f"{abs(uplift.estimate):.3f}",
            side="higher" if uplift.estimate >= 0 else "lower",
            standard_error=f"{uplift.standard_error:.3f}",
            n_systems=f"{uplift.n_systems:,}",
            n_families=f"{uplift.n_families:,}",
        ),
        members=tuple(
            document_of(
                MemberUpliftDocument,
                on_member,
                collection=inputs.members[on_member.member].collection,
                name=inputs.members[on_member.member].name,
                sentence=uplift_sentence(inputs.members[on_member.member].name, on_member),
            )
            for on_member in sorted(uplift.members, key=lambda on_member: -on_member.value)
        ),
    )


def uplift_sentence(name: str, uplift: UpliftOnMember) -> str:
    """Return what declaring training on a collection goes with, beside how surely that is known."""
    # No end of an interval without 0 is printed as 0.
    least = min(abs(uplift.low), abs(uplift.high))
    digits = next((n for n in (2, 3) if round(least, n) > 0.0), 4)
    interval = {"name": name, "low": score(uplift.low, digits), "high": score(uplift.high, digits)}
    if uplift.low <= 0 <= uplift.high:
        return say("uplift-unclear", **interval)
    side, amount = "higher" if uplift.value > 0 else "lower", f"{abs(uplift.value):.2f}"
    size = "about" if float(amount) else "less"
    return say("uplift-of-member", **interval, side=side, size=size, amount=amount)
