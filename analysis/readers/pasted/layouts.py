"""The layout of a table, once its cells are looked at too: which columns are scores, and which name the systems."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from analysis.readers.columns import TOPIC, field_of, find_names, is_percent, is_topic, without_raised
from analysis.readers.grids import is_score
from analysis.readers.names import Names
from analysis.readers.numbers import is_number, stands_for_nothing
from analysis.readers.pasted.heads import COLLECTION_AND_MEASURE, Head, holding
from analysis.readers.pasted.left_out import AVERAGE, is_row_without_scores, why_left_out
from analysis.readers.questions import ACROSS, OVER, Question
from analysis.readers.text import comparison_key, shorten

_MAX_NAMED = 6
#: Topics from which on a column holds those that the scores are of.
_MIN_TOPICS = 5
#: What stands alone in columns between scores.
_SIGNS = frozenset("↑↓±⇑⇓")
_MEASURE = re.compile(r"(?i)(?:accuracy|acc|f1|em|exact match|[\w ]*(?:error|accuracy|f1))\b\.?(?!.*\bmodel)")
#: Suites whose collections papers call by what tells them apart alone.
_SUITES = ("BRIGHT", "LoTTE", "MIRACL", "Mr. TyDi", "CQADupStack", "NanoBEIR", "BEIR")
_SAY_COLLECTION = frozenset({"collection", COLLECTION_AND_MEASURE})
_RUN_TYPES = frozenset({"automatic", "manual"})
#: What the answers to ``across`` make of columns that nobody knows, and of the one before them.
_KINDS = {
    "collections": ("collection", ""),
    "measures": ("measure", ""),
    "systems-by-collection": ("system", "collection"),
    "systems-by-measure": ("system", "measure"),
}


def _listed(texts: Iterable[str]) -> str:
    """Return the texts in one line, the first of them where they are many."""
    names = [shorten(text, 40) for text in dict.fromkeys(texts)]
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return ", ".join(names[:_MAX_NAMED]) + more


def _is_beyond(text: str, beside: Sequence[str]) -> bool:
    """Say whether a score is beyond all others: no average of them, but a fusion that is called so.

    >>> _is_beyond("0.62", ["0.66", "0.67"]), _is_beyond("0.665", ["0.66", "0.67"])
    (True, False)
    """
    others = [float(other) for other in beside if is_number(other) and other != text]
    slack = 10.0 ** -len(text.partition(".")[2])
    return bool(others) and is_number(text) and not min(others) - slack <= float(text) <= max(others) + slack


@dataclass
class Layout:
    """The columns of a block: their heads, what holds for all of its rows, and what has to be asked."""

    heads: list[Head]
    #: The texts of each column in its first rows; those of headings between the rows are not among them.
    columns: Sequence[Sequence[str]]
    names: Names
    #: What a head says of all rows: the measure in the corner of a table of systems by collections.
    defaults: dict[str, str] = field(default_factory=dict)
    #: Whether a title says which collection all of the table is on.
    has_collection: bool = False
    questions: list[Question] = field(default_factory=list)

    @cached_property
    def is_across(self) -> bool:
        """Say whether the systems stand side by side."""
        return any(head.system for head in self.heads)

    def settle(self, answers: Mapping[str, str]) -> None:
        """Settle what the heads alone leave open."""
        self._find_topics()
        self._leave_out_unknown_measures()
        self._read_corner()
        self._find_systems_across()
        self._ask_about_unknown(answers)
        self._ask_about_names_over_measures(answers)
        self._find_systems_down(answers)
        self._tell_facts()
        for head in self.heads:
            if not head.text and not self._texts(head):
                self._put(replace(head, left_out="empty"))

    def _texts(self, head: Head) -> list[str]:
        """Return what stands in the column, without what stands for nothing."""
        return [text for text in self.columns[head.position - 1] if not stands_for_nothing(text)]

    def _has_scores(self, head: Head) -> bool:
        """Say whether most of the column's cells are scores."""
        texts = self._texts(head)
        return bool(texts) and sum(map(is_score, texts)) * 2 >= len(texts)

    def _put(self, head: Head) -> None:
        self.heads[head.position - 1] = head

    @property
    def _first_score(self) -> int:
        """Return the position of the first column of scores."""
        positions = [
            head.position
            for head in self.heads
            if head.field == "value" and (self._has_scores(head) or not self._texts(head))
        ]
        return min(positions, default=len(self.heads) + 1)

    def _find_topics(self) -> None:
        """Find the column of topics: many of them, for few say only how queries were made; and columns of signs."""
        for head in self.heads:
            if is_topic(head.text) and not head.is_wide and self._n_distinct(head) >= _MIN_TOPICS:
                self._put(replace(head, field=TOPIC, is_fact=False))
            elif comparison_key(head.text) == "n" and not all(
                text.replace(",", "").isdigit() for text in self._texts(head)
            ):
                self._put(replace(head, field="", is_fact=True))
            elif not head.text and (texts := self._texts(head)) and set(texts) <= _SIGNS:
                self._put(replace(head, left_out="signs"))

    def _leave_out_unknown_measures(self) -> None:
        """Leave out numbers under a measure that nobody knows: they are no part of a system."""
        for head in self.heads if any(head.field == "value" for head in self.heads) else ():
            is_measure = is_percent(head.text) or _MEASURE.match(without_raised(head.text))
            if head.is_unknown and is_measure and self._has_scores(head):
                self._put(replace(head, left_out="no measure that is known here"))

    def _read_corner(self) -> None:
        """Take a first column of names as the systems where its head says what stands beside it."""
        filled = (head for head in self.heads if head.text or (self._texts(head) and not self._is_label(head)))
        first = next(filled, None)
        if first is None or not self._texts(first) or self._has_scores(first):
            return
        others = [head for head in self.heads if head is not first]
        if any(head.field == "system" or head.system for head in others):
            return
        if first.is_wide:
            self.defaults |= {
                kind: name
                for kind in ("collection", "measure")
                if (name := getattr(first, kind)) and not any(getattr(head, kind) for head in others)
            }
            self._put(replace(first, field="", collection="", measure="", over=""))
            return
        kind = first.field
        if kind not in {"collection", "measure"} or not any(getattr(head, kind) for head in others):
            return
        place = ("collection", "measure").index(kind)
        if not any(find_names(text, self.names)[place] for text in self._texts(first)):
            self._put(replace(first, field="system"))

    def _find_systems_across(self) -> None:
        """Take unknown names over scores as systems where collections or measures stand down the side."""
        if any(head.field == "value" for head in self.heads):
            return
        across = [head for head in self.heads if head.is_unknown and head.text and self._has_scores(head)]
        down = [head for head in self.heads if head.field in {"collection", "measure"}]
        if not across:
            return
        columns = [self.columns[head.position - 1] for head in across]
        for head in self.heads:
            beside = zip(self.columns[head.position - 1], zip(*columns, strict=False), strict=False)
            if head.left_out == AVERAGE and any(_is_beyond(text, others) for text, others in beside):
                across.append(replace(head, left_out=""))
        named = next((head for head in self.heads if head not in across and self._name_rows(head)), None)
        if named is None and not down:
            return
        if named is not None:
            self._put(replace(named, field=self._name_rows(named)))
        for head in across:
            *above, name = head.text.split(" / ")
            group = " / ".join(text for text in above if not field_of(text))
            self._put(replace(head, field="value", system=name, group=group))

    def _name_rows(self, head: Head) -> str:
        """Return what the cells of a column say of their rows; blank where they are no names."""
        if head.field not in {"", "system"} or head.position > self._first_unknown:
            return ""
        texts = [text for text in self._texts(head) if not why_left_out(text, self.names)]
        pairs = [named for text in texts if any(named := find_names(text, self.names))]
        if len(pairs) * 2 < len(texts) or not pairs:
            return ""
        kinds = {kind for pair in pairs for kind, name in zip(("collection", "measure"), pair, strict=True) if name}
        return kinds.pop() if len(kinds) == 1 else COLLECTION_AND_MEASURE

    @property
    def _first_unknown(self) -> int:
        """Return the position of the first column of scores that nobody knows."""
        return min((head.position for head in self.heads if head.is_unknown and self._has_scores(head)), default=0)

    def _ask_about_unknown(self, answers: Mapping[str, str]) -> None:
        """Ask what columns of numbers are whose names nobody knows; once for all of them."""
        is_known = any(head.field == "value" for head in self.heads)
        begin = self._first_score if is_known else 0
        unknown = [
            head for head in self.heads
            if head.is_unknown and head.text and self._has_scores(head)
            and (head.position > begin or self._looks_like_scores(head))
        ]  # fmt: skip
        if any("." in text for head in unknown for text in self._texts(head)):
            # Whole numbers beside fractions are sizes, and the like.
            unknown = [head for head in unknown if any("." in text for text in self._texts(head))]
        if not unknown or any(head.field == "value" and not head.is_wide for head in self.heads):
            return
        listed = _listed(head.text for head in unknown)
        wording = f"Numbers stand under names that nobody knows here: {listed}. What are they?"
        # Beside columns that are understood they are left out until somebody says what they are.
        choices = (*self._suites(unknown), *ACROSS)
        question = Question("across", wording, choices=choices).answered(answers, "nothing" if is_known else "")
        self.questions.append(question)
        kind, down = _KINDS.get(question.answer, ("collection", ""))
        if question.answer in {"", "nothing"}:
            return
        for head in unknown:
            name = without_raised(head.text.split(" / ")[-1])
            is_member = question.answer in _SUITES and self.names.has_collection(f"{question.answer} {name}")
            self._put(holding(head, kind, f"{question.answer} {name}" if is_member else name))
        first = next((head for head in self.heads[: unknown[0].position - 1] if self._texts(head)), None)
        if down and first is not None:
            self._put(replace(first, field=down))

    def _suites(self, unknown: Sequence[Head]) -> list[tuple[str, str]]:
        """Return the suites that most of the names are collections of, each with how many of them are."""
        members = [without_raised(head.text.split(" / ")[-1]) for head in unknown]
        counts = {suite: sum(self.names.has_collection(f"{suite} {name}") for name in members) for suite in _SUITES}
        return [
            (suite, f"collections of {suite}: {n} of {len(members)} names are")
            for suite, n in sorted(counts.items(), key=lambda count: -count[1])
            if n >= max(2, 0.75 * len(members))
        ]

    def _ask_about_names_over_measures(self, answers: Mapping[str, str]) -> None:
        """Ask what names over measures, or in brackets behind them, are that nobody knows; once for all of them."""
        heads = [head for head in self.heads if head.over]
        if not heads:
            return
        answer = "settings"
        if not self.has_collection and not any(head.field in _SAY_COLLECTION for head in self.heads):
            text = _listed(head.over for head in heads)
            wording = f"Beside measures stand names that nobody knows here: {text}. What are they?"
            question = Question("over", wording, choices=OVER).answered(answers)
            self.questions.append(question)
            answer = question.answer
        for head in heads:
            if answer == "collections":
                self._put(replace(head, collection=head.over, over=""))
            elif answer == "systems":
                self._put(replace(head, system=head.over, over=""))
            elif answer == "settings":
                self._put(replace(head, group=" / ".join(filter(None, [head.group, head.over])), over=""))

        for head in self.heads[: heads[0].position - 1] if answer == "systems" else ():
            if head.field == "system" or (head.is_unknown and self._texts(head)):
                self._put(replace(head, field="", is_fact=True))

    def _find_systems_down(self, answers: Mapping[str, str]) -> None:
        """Take the column of names before the scores as the systems where no head says so; ask which of several."""
        if any(head.system for head in self.heads) or not any(head.field == "value" for head in self.heads):
            return
        named = [head for head in self.heads if head.field == "system"]
        if len(named) == 1 or any(head.part_of_system for head in named):
            return
        for head in named:
            # Model and method: the others are facts of the one that tells most rows apart.
            self._put(replace(head, field=""))
        before = [head for head in self.heads[: self._first_score - 1] if head.is_unknown and self._texts(head)]
        candidates = [head for head in before if not self._has_scores(head) and not self._is_label(head)] or before[:1]
        # A column of groups says the same of several rows; where papers tell more rows apart, no other names systems.
        papers = [head for head in self.heads if head.field == "paper"]
        most = max(map(self._n_distinct, [*candidates, *papers]), default=0)
        candidates = [head for head in candidates if self._n_distinct(head) == most]
        if len(candidates) > 1:
            choices = tuple((str(head.position), self._described(head)) for head in candidates)
            question = Question("systems", "Which column names the systems?", choices=choices).answered(answers)
            self.questions.append(question)
            candidates = [head for head in candidates if str(head.position) == question.answer]
        for head in candidates:
            self._put(replace(head, field="system"))

    def _described(self, head: Head) -> str:
        """Return the column by its place, its head and what stands in it."""
        named = f"column {head.position}" + (f", {shorten(head.text, 40)}" if head.text else "")
        return f"{named}: {_listed(self._texts(head))}"

    def _n_distinct(self, head: Head) -> int:
        return len({comparison_key(text) for text in self._texts(head)})

    def _is_label(self, head: Head) -> bool:
        """Say whether the column numbers the rows, or letters them for the marks of significance."""
        cells = self._texts(head)
        texts = [text.strip("()[].:") for text in cells]
        is_short = all(text.isdigit() or (len(text) == 1 and text.isalpha()) for text in texts)
        # Several rows may cite one source: [2].
        return bool(texts) and is_short and (len({*texts}) == len(texts) > 1 or all(text[0] == "[" for text in cells))

    def _tell_facts(self) -> None:
        """Take the other columns before the scores as facts of the systems, or as their groups."""
        if any(head.system for head in self.heads) or not any(head.field == "value" for head in self.heads):
            return
        for head in self.heads:
            if not head.is_unknown or not self._texts(head) or head.position > self._first_score:
                continue
            if not head.text and self._is_label(head):
                self._put(replace(head, left_out="a place in the order"))
            elif {text.casefold() for text in self._texts(head)} <= _RUN_TYPES:
                self._put(replace(head, field="run_type"))
            elif head.text and not self._looks_like_scores(head):
                self._put(replace(head, is_fact=True))
            elif not head.text:
                self._put(replace(head, is_group=True))

    def _looks_like_scores(self, head: Head) -> bool:
        """Say whether the column has fractions as long as those of the first scores: a collection that nobody knows."""
        first, texts = self._first_score, self._texts(head)
        scores = self._texts(self.heads[first - 1]) if first <= len(self.heads) else []
        lengths = {len(text.partition(".")[2]) if is_number(text) else 0 for text in (*scores, *texts)}
        return bool(scores and texts) and len(lengths) == 1 and max(lengths) > 1

    @cached_property
    def carrying(self) -> frozenset[int]:
        """Return the positions of columns whose cells hold for the blank ones below: they group rows."""
        down = [head.position for head in self.heads if head.field in {"collection", "measure"}]
        if self.is_across:
            return frozenset(down if len(down) > 1 else ())
        first = self.heads[0]
        has_systems = any(head.field == "system" for head in self.heads)
        holds = first.is_fact if has_systems else first.field == "collection" and len(down) > 1
        return frozenset([head.position for head in self.heads if head.is_group] + [first.position] * holds)

    def why_row_left_out(self, texts: Sequence[str]) -> str:
        """Return why a row is none of results: it averages, compares, or counts."""
        for head, text in zip(self.heads, texts, strict=False):
            if head.field == "system" and not self.is_across:
                scores = zip(self.heads, texts, strict=False)
                numbers = [text for head, text in scores if head.field == "value" and not stands_for_nothing(text)]
                why = is_row_without_scores(text, self.names, numbers)
                columns = (
                    (text, self._texts(head)) for head, text in zip(self.heads, texts, strict=False) if head.field
                )
                return "" if why == AVERAGE and any(_is_beyond(*column) for column in columns) else why
            if head.field in {"collection", "measure", COLLECTION_AND_MEASURE} and (
                why := why_left_out(text, self.names)
            ):
                return why
        return ""
