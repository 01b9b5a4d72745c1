"""What people type beside names: of which kind is what they look for, and words without which it is found as well."""

import re
from collections.abc import Sequence

from registry.search.models import Thing
from registry.search.names import words_of

_SUITE, _COLLECTION, _LEADERBOARD = Thing.Kind.SUITE, Thing.Kind.COLLECTION, Thing.Kind.LEADERBOARD
#: Words that say what is looked for, and the kinds of which that may be.
_ASKED: tuple[tuple[str, tuple[Thing.Kind, ...]], ...] = (
    (r"papers?", (Thing.Kind.PAPER,)),
    (r"leader ?boards?|rankings?", (_SUITE, _LEADERBOARD)),
    (r"benchmarks?", (_SUITE, _COLLECTION)),
    (r"data ?sets?|(?:test )?collections?|corpus|qrels|judge?ments", (_COLLECTION,)),
    (r"(?:best (?:models?|systems?|results?|scores?)|sota|state of the art)(?: (?:on|for|of))?", (_COLLECTION,)),
)
_WORDS = tuple((re.compile(rf"(?<!\S)(?:{words})(?!\S)", re.IGNORECASE), kinds) for words, kinds in _ASKED)
#: A whole question, as it is typed, in English or in German.
_FILLERS = frozenset(
    words_of(
        "a about an and are by can do does don't for from i in is it my need of on or that the to used",
        "vs what when where which who why with",
        "am auf bei beste besten bestes das der die ein für ist modell und von was welche welches wer wie",
    )
)


def read_asked(text: str) -> tuple[str, tuple[Thing.Kind, ...]]:
    """The text without the words that say what is looked for, and the kinds that they say.

    >>> read_asked("qrels dl19")
    ('dl19', (Thing.Kind.COLLECTION,))
    >>> read_asked("leaderboards"), read_asked("dl19")
    (('leaderboards', ()), ('dl19', ()))
    """
    for words, kinds in _WORDS:
        rest = " ".join(words.sub(" ", text).split())
        if rest and rest != text:
            return rest, kinds
    return text, ()


def without_fillers(words: Sequence[str]) -> tuple[str, ...]:
    """The words without those that stand in any sentence.

    >>> without_fillers(("how", "many", "topics", "do", "i", "need"))
    ('how', 'many', 'topics')
    """
    return tuple(word for word in words if word not in _FILLERS)
