"""The plain text that a cell of a Markdown table shows."""

import html
import re

_TOKEN = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)"
    r"|<(?P<tag>/?(?:br|sup|sub|b|i|u|s|em|strong|code|span|mark|small|ins|del))(?:\s[^<>]*)?/?>"
    r"|(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|!?\[(?P<link>[^\[\]\\`]*)\]\([^()\s]*\)"
    r"|(?P<plain>[^\\`<&!\[]+|.)",
    re.DOTALL | re.IGNORECASE,
)
_EMPHASIS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<open>\*\*)(?=[^\s*])[^*]*(?<=[^\s*])(?P<close>\*\*)",
        r"(?P<open>~~)(?=[^\s~])[^~]*(?<=[^\s~])(?P<close>~~)",
        r"(?<!\w)(?P<open>__)(?=[^\s_])[^_]*(?<=[^\s_])(?P<close>__)(?!\w)",
        r"(?<![\w*])(?P<open>\*)(?=[^\s*])[^*]*(?<=[^\s*])(?P<close>\*)(?![\w*])",
        r"(?<!\w)(?P<open>_)(?=[^\s_])[^_]*(?<=[^\s_])(?P<close>_)(?!\w)",
    )
)
_TAGS = {"br": "\n", "sup": "^{", "/sup": "}", "sub": "_"}
#: Stands for a character that is meant as itself, while emphasis is looked for. No text that is read has it.
_HIDDEN = "\0"


def printed(source: str) -> str:
    """Return what the source shows: emphasis, links and tags gone, escapes and entities resolved; raised text is
    ``^{…}``."""
    if source.isascii() and source.replace(".", "").replace(" ", "").isalnum():
        return source.strip()
    shown, masked = _resolve(source)
    for pattern in _EMPHASIS:
        while match := pattern.search(masked):
            pieces = [(match.start("close"), match.end("close")), (match.start("open"), match.end("open"))]
            for start, end in pieces:
                shown = shown[:start] + shown[end:]
                masked = masked[:start] + masked[end:]
    # A deviation is printed below the line as well as behind a score.
    return re.sub(r"_(?=[±∓])", " ", shown).strip()


def _resolve(source: str) -> tuple[str, str]:
    """Return the text, and the same with what is meant as itself hidden."""
    shown: list[str] = []
    masked: list[str] = []
    position = 0
    while match := _TOKEN.match(source, position):
        position = match.end()
        if match["ticks"]:
            closing = re.compile(rf"(?<!`){match['ticks']}(?!`)").search(source, position)
            literal = source[position : closing.start()] if closing else match["ticks"]
            position = closing.end() if closing else position
            text, mask = literal, _HIDDEN * len(literal)
        elif match["tag"]:
            text = mask = _TAGS.get(match["tag"].lower(), "")
        elif match["escaped"]:
            text, mask = match["escaped"], _HIDDEN
        elif match["entity"]:
            text = html.unescape(match["entity"])
            mask = _HIDDEN * len(text)
        else:
            text = mask = match["link"] if match["link"] is not None else match["plain"]
        shown.append(text)
        masked.append(mask)
    return "".join(shown), "".join(masked)
