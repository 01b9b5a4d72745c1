"""The list of all sentences of pages is whole: each pattern once, under its kind, the most frequent first."""

import re

import pytest

from tests.sentences import Patterns, pattern_of
from tests.wording import FILE, is_short, text_of

HEAD, *SECTIONS = FILE.read_text(encoding="utf-8").split("\n## ")


def section(text: str) -> tuple[str, list[tuple[int, str]], list[str]]:
    """The kind of page, its sentences with the number of pages, and its labels."""
    kind, listed = text.split("\n\n```text\n")
    lines = listed.removesuffix("```\n").removesuffix("```").strip("\n").split("\n")
    short = [line for line in lines if line.startswith("in short: ")]
    said = [line.split(" ", 1) for line in lines if line not in short]
    labels = short[0].removeprefix("in short: ").split(" | ") if short else []
    return kind, [(int(n), sentence) for n, sentence in said], labels


FOUND = [section(text) for text in SECTIONS]


def test_kinds_of_pages_stand_once_and_in_order():
    kinds = [kind for kind, _, _ in FOUND]
    assert kinds == sorted(set(kinds))
    assert len(kinds) > 40


@pytest.mark.parametrize(("kind", "said", "labels"), FOUND, ids=[kind for kind, _, _ in FOUND])
def test_what_is_said_most_stands_first(kind, said, labels):
    counts = [n for n, _ in said]
    assert counts == sorted(counts, reverse=True)
    assert all(n > 0 for n in counts)
    assert not [sentence for _, sentence in said if is_short(pattern_of(sentence))]


def test_every_pattern_is_listed_once_and_counted():
    patterns = [pattern_of(sentence) for _, said, _ in FOUND for _, sentence in said]
    assert len(patterns) == len(set(patterns))
    n = int(re.search(r"All (\d+) patterns", HEAD)[1])
    assert n >= len(patterns) + sum(bool(labels) for _, _, labels in FOUND)


def test_a_walk_is_written_in_this_form():
    met = Patterns()
    met.add("home:home", {"{3} results stand.", "Home"})
    met.add("home:home", {"{14} results stand."})
    met.add("check:check", {"{3} are better."})
    parts = text_of(met).split("\n## ")
    assert "All 3 patterns" in parts[0]
    assert [section(part) for part in parts[1:]] == [
        ("check:check", [(1, "{3} are better.")], []),
        ("home:home", [(2, "{3} results stand.")], ["Home"]),
    ]
