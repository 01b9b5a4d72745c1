"""Text as LaTeX and BibTeX take it: in plain ASCII, so that every engine and every encoding of fonts prints it."""

import re
import unicodedata
from collections.abc import Iterable

#: Characters that LaTeX reads as commands, or prints differently.
_SPECIAL = {
    "\\": r"\textbackslash{}",
    # Not \{ and \}: BibTeX counts braces without looking at what stands before them.
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    **{character: f"\\{character}" for character in "&%$#_"},
}
_JOINER = "\u2060"
_PUNCTUATION = {
    _JOINER: "{}",
    **{"\u00a0": "~", "\u202f": r"\,", "\u2009": r"\,", "\u00ad": r"\-"},
    **{"‐": "-", "‑": "-", "‒": "--", "–": "--", "—": "---", "―": "---", "‘": "`", "’": "'", "“": "``", "”": "''"},
    **{"„": ",,", "‚": ",", "…": r"\ldots{}", "†": r"\dag{}", "‡": r"\ddag{}", "§": r"\S{}", "¶": r"\P{}"},
    **{"©": r"\copyright{}", "£": r"\pounds{}", "€": "EUR", "™": "(TM)", "®": "(R)", "¡": "!`", "¿": "?`"},
}
_MATHS = {
    **{"−": "-", "±": r"\pm", "∓": r"\mp", "×": r"\times", "÷": r"\div", "·": r"\cdot", "∗": "*", "⋆": r"\star"},
    **{"∘": r"\circ", "°": r"^\circ", "•": r"\bullet", "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "≈": r"\approx"},
    **{"∼": r"\sim", "∞": r"\infty", "∑": r"\sum", "∏": r"\prod", "√": r"\surd", "∈": r"\in", "∩": r"\cap"},
    **{"∪": r"\cup", "∅": r"\emptyset", "∥": r"\parallel", "⊕": r"\oplus", "⊖": r"\ominus", "⊗": r"\otimes"},
    **{"←": r"\leftarrow", "→": r"\rightarrow", "↔": r"\leftrightarrow", "⇒": r"\Rightarrow", "↑": r"\uparrow"},
    **{"↓": r"\downarrow", "△": r"\triangle", "⋄": r"\diamond", "♠": r"\spadesuit", "♣": r"\clubsuit"},
    **{"♥": r"\heartsuit", "♡": r"\heartsuit", "♦": r"\diamondsuit", "♢": r"\diamondsuit", "′": "'", "ℓ": r"\ell"},
    **{"«": r"\ll", "»": r"\gg", "¬": r"\neg", "∂": r"\partial", "∇": r"\nabla", "‖": r"\|", "⋯": r"\cdots"},
    **{"∆": r"\Delta", "µ": r"\mu", "ς": r"\varsigma", "ϕ": r"\phi", "ϵ": r"\epsilon", "ϑ": r"\vartheta"},
}
_LETTERS = {
    **{"ß": r"\ss", "ẞ": "SS", "æ": r"\ae", "Æ": r"\AE", "œ": r"\oe", "Œ": r"\OE", "ø": r"\o", "Ø": r"\O"},
    **{"ł": r"\l", "Ł": r"\L", "ı": r"\i", "ȷ": r"\j"},
}
#: Letters and accents that the default font encoding, OT1, lacks and T1 has.
_LETTERS_OF_T1 = {
    **{"đ": r"\dj", "Đ": r"\DJ", "ð": r"\dh", "Ð": r"\DH", "þ": r"\th", "Þ": r"\TH", "ŋ": r"\ng", "Ŋ": r"\NG"}
}
_ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": "."},
    **{"\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c", "\u0331": "b"},
    **{"\u0326": "textcommabelow", "\u0328": "k"},
}
_BELOW = frozenset("\u0323\u0326\u0327\u0328\u0331")
#: The capitals that look like Latin ones have no command.
_GREEK_AS_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
_OF_T1 = re.compile(r"\\(?:k\{|(?:dj|DJ|dh|DH|th|TH|ng|NG)\})")
_SPELLED = re.compile(r"\]\[(?=U\+)")


def latex(text: str) -> str:
    """Return the text for LaTeX, on one line.

    What LaTeX has no command for is simplified where it is a letter with one more accent, and else spelled as
    ``[U+691C]``.
    """
    # Hyphens and dashes side by side would print as one longer dash.
    apart = re.sub("([-‐‑‒–—―])(?=[-‐‑‒–—―])", rf"\1{_JOINER}", unicodedata.normalize("NFC", text))
    return _SPELLED.sub(" ", "".join(map(_written, apart)))


def needs_t1(lines: Iterable[str]) -> bool:
    """Return whether what ``latex`` wrote has letters that are printed with T1 fonts only:
    ``\\usepackage[T1]{fontenc}``."""
    return any(map(_OF_T1.search, lines))


def bibtex_entry(kind: str, key: str, fields: dict[str, str]) -> str:
    """Return a BibTeX entry of these fields, already in LaTeX, without the blank ones."""
    filled = {name: value for name, value in fields.items() if value}
    width = max(map(len, filled))
    lines = ",\n".join(f"  {name:<{width}} = {{{value}}}" for name, value in filled.items())
    return f"@{kind}{{{key},\n{lines}\n}}\n"


def _written(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character.isascii():
        return character if character.isprintable() else " "
    if character in _PUNCTUATION:
        return _PUNCTUATION[character]
    if character in _MATHS:
        return f"${_MATHS[character]}$"
    if letter := _LETTERS.get(character) or _LETTERS_OF_T1.get(character):
        return f"{{{letter}}}"
    return _greek(character) or _accented(character) or _like(character)


def _greek(character: str) -> str:
    """Return a Greek letter, in maths and without accents; blank for any other character."""
    base = unicodedata.normalize("NFD", character)[0]
    if base in _GREEK_AS_LATIN:
        return _GREEK_AS_LATIN[base]
    if not "Α" <= base <= "ω":
        return ""
    _, size, _, name = unicodedata.name(base).lower().replace("lamda", "lambda").split()
    return f"$\\{name if size == 'small' else name.capitalize()}$"


def _accented(character: str) -> str:
    """Return a Latin letter with its accents, without those that LaTeX lacks; blank for any other character."""
    base, *marks = list(unicodedata.normalize("NFD", character))
    if not marks or not (base.isascii() and base.isalpha()):
        return ""
    known = [mark for mark in marks if mark in _ACCENTS]
    # An accent above replaces the dot.
    letter = {"i": r"\i", "j": r"\j"}.get(base, base) if set(known) - _BELOW else base
    for mark in known:
        letter = f"\\{_ACCENTS[mark]}{{{letter}}}"
    return f"{{{letter}}}" if known else base


def _like(character: str) -> str:
    """Return what the character stands for in plain text; its number where nothing does."""
    category = unicodedata.category(character)
    if category in {"Zs", "Zl", "Zp", "Cc"}:
        return " "
    if category in {"Cf", "Mn", "Me"}:
        return ""  # joins, directions and loose accents print nothing of their own
    alike = unicodedata.normalize("NFKD", character).replace("\u2044", "/")
    kind = unicodedata.decomposition(character).partition(" ")[0]
    if alike.isascii() and alike.isprintable():
        plain = "".join(map(_written, alike))
        return {"<super>": f"$^{{{plain}}}$", "<sub>": f"$_{{{plain}}}$"}.get(kind, plain)
    if kind.startswith("<"):
        return latex(alike)
    return f"[U+{ord(character):04X}]"
