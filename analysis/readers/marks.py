"""What a paper itself says of significance: marks at its scores, and the test that it names."""

import re

#: As readers keep a score that had marks around it.
_AS_PRINTED = re.compile(r'(?:^|; )printed as "([^"]*)"')
_MARKS = re.compile(r"[*∗⋆★†‡§¶#▲△▼▽]+|(?<=[0-9])\^?[a-z]{1,6}$|\^\S+$")
_TESTS = re.compile(
    r"paired (?:student.s )?t.?tests?|student.s t.?test|t.?test|wilcoxon(?: signed.rank)?(?: test)?|tukey(?:.s)? HSD"
    r"|(?:fisher.s )?randomi[sz]ation test|permutation test|bootstrap test|sign test",
    re.IGNORECASE,
)
_CORRECTIONS = re.compile(r"bonferroni|holm|benjamini.hochberg|tukey", re.IGNORECASE)


def mark_of(notes: str) -> str:
    """Return the marks that stand at the score in the table, as †, by the notes of its row; blank without."""
    printed = _AS_PRINTED.search(notes)
    marks = _MARKS.search(printed[1]) if printed else None
    return marks[0].removeprefix("^") if marks else ""


def test_named(text: str) -> str:
    """Return the test of significance that the text names, with its correction; blank where it names none."""
    test, correction = _TESTS.search(text), _CORRECTIONS.search(text)
    names = dict.fromkeys(match[0] for match in (test, correction) if match)
    return ", ".join(names)
