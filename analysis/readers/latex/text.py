"""The plain text that LaTeX prints: accents and symbols in Unicode, emphasis gone, raised marks kept apart."""

import re
import unicodedata
from dataclasses import dataclass, field

from analysis.readers.rejections import Refused

#: A letter with a sign on it: the combining character that follows the letter in Unicode.
ACCENTS = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "b": "\u0331",
    "d": "\u0323", "t": "\u0361",
}  # fmt: skip

SYMBOLS = {
    **{character: character for character in "&%$#_{}"},
    # What stands for a space, of whatever width.
    **dict.fromkeys([" ", ",", ";", ":", ">", "\n", "\t", "quad", "qquad", "enspace", "thinspace", "space"], " "),
    **dict.fromkeys(["newline", "linebreak", "par", "tabularnewline", "\\"], " "),
    **dict.fromkeys(["!", "/", "-", "(", ")", "[", "]", "@"], ""),
    **{"ss": "ß", "SS": "ẞ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ"},
    **{"aa": "å", "AA": "Å", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ"},
    # Dotless letters carry accents; without one they are what they look like.
    **{"i": "ı", "j": "ȷ", "imath": "ı", "jmath": "ȷ"},
    **{"textbackslash": "\\", "backslash": "\\", "textbraceleft": "{", "textbraceright": "}", "lbrace": "{"},
    **{"rbrace": "}", "textasciitilde": "~", "textasciicircum": "^", "textless": "<", "textgreater": ">"},
    **{"lt": "<", "gt": ">", "textbar": "|", "vert": "|", "mid": "|", "Vert": "‖", "|": "‖", "textunderscore": "_"},
    **{"textquotesingle": "'", "textquotedbl": '"', "lbrack": "[", "rbrack": "]", "slash": "/", "textendash": "–"},
    **{"textemdash": "—", "ldots": "…", "dots": "…", "cdots": "⋯", "textellipsis": "…", "copyright": "©"},
    **{"textregistered": "®", "texttrademark": "™", "degree": "°", "pounds": "£", "euro": "€", "LaTeX": "LaTeX"},
    **{"TeX": "TeX", "pm": " ± ", "mp": " ∓ ", "times": "×", "cdot": "·", "div": "÷", "ast": "*", "star": "⋆"},
    **{"textasteriskcentered": "*", "dagger": "†", "dag": "†", "textdagger": "†", "ddagger": "‡", "ddag": "‡"},
    **{"textdaggerdbl": "‡", "S": "§", "P": "¶", "bullet": "•", "textbullet": "•", "circ": "∘", "diamond": "⋄"},
    **{"diamondsuit": "♢", "clubsuit": "♣", "heartsuit": "♡", "spadesuit": "♠", "uparrow": "↑", "downarrow": "↓"},
    **{"rightarrow": "→", "to": "→", "leftarrow": "←", "Rightarrow": "⇒", "triangle": "△", "bigtriangleup": "△"},
    **{"vartriangle": "△", "blacktriangle": "▲", "triangledown": "▽", "bigtriangledown": "▽", "checkmark": "✓"},
    **{"blacktriangledown": "▼", "infty": "∞", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠"},
    **{"approx": "≈", "sim": "~", "oplus": "⊕", "ominus": "⊖", "prime": "′", "ell": "ℓ", "parallel": "∥"},
    **{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ"},
    **{"eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ"},
    **{"sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ"},
    **{"Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ"},
    # What papers define for ticks and crosses, always under these names.
    **dict.fromkeys(["cmark", "tick", "faCheck"], "✓") | dict.fromkeys(["xmark", "cross", "faTimes"], "✗"),
    "Omega": "Ω",
}

_PRINT_ALL = """
    textbf textit textsl texttt textsf textsc textrm textup textmd textnormal emph underline uline uuline dashuline
    uwave dotuline underuline sout st hl fbox text mbox hbox mathbf mathit mathrm mathsf mathtt mathcal mathbb
    mathnormal bm boldsymbol pmb ensuremath operatorname num tablenum url path nolinkurl makecell shortstack thead
    boxed overline centerline textlf textlnum MakeUppercase MakeLowercase lowercase uppercase makebox framebox
"""
_PRINT_SECOND = "textcolor colorbox href raisebox rotatebox scalebox adjustbox parbox texorpdfstring"
_PRINT_THIRD = "fcolorbox resizebox multirow multicolumn"

#: Commands that print some of their arguments: how many they take, and which are printed (from 0).
KEEPS = {
    **dict.fromkeys(_PRINT_ALL.split(), (1, (0,))),
    **dict.fromkeys(_PRINT_SECOND.split(), (2, (1,))),
    **dict.fromkeys(_PRINT_THIRD.split(), (3, (2,))),
    **dict.fromkeys(["SI", "qty"], (2, (0, 1))),
}

#: Commands that print a raised mark beside the text.
RAISES = frozenset({"textsuperscript", "tnote", "footnotemark"})

#: Commands that print text below the line.
LOWERS = frozenset({"textsubscript"})

#: Commands whose text is printed elsewhere.
FOOTNOTES = frozenset({"footnote", "tablefootnote", "thanks"})

#: Ticks and crosses by their numbers in the font Zapf Dingbats.
DINGBATS = dict.fromkeys(["51", "52"], "✓") | dict.fromkeys(["53", "54", "55", "56"], "✗")

_SWITCHES = """
    bf bfseries it itshape em sl slshape sc scshape tt ttfamily rm rmfamily sf sffamily mdseries upshape normalfont tiny
    scriptsize footnotesize small normalsize large Large LARGE huge Huge centering raggedright raggedleft arraybackslash
    displaystyle textstyle scriptstyle left right big Big bigl bigr Bigl Bigr protect noindent strut relax leavevmode
    unskip ignorespaces boldmath unboldmath selectfont hfill hfil limits nolimits xspace null allowbreak nobreak break
    smallskip medskip bigskip
"""
_HIDE_ONE = """
    cite citep citet citealp citealt citeauthor citeyear citeyearpar parencite textcite autocite label ref cref Cref
    autoref eqref pageref vspace hspace phantom hphantom vphantom cellcolor rowcolor columncolor color footnotetext
    sisetup rowfont noopsort fontseries fontshape fontfamily
"""
_HIDE_TWO = "rule fontsize setlength addtolength setcounter addtocounter"

#: Commands that print nothing here: how many arguments they take.
DROPS = {
    **dict.fromkeys(_SWITCHES.split(), 0),
    **dict.fromkeys(_HIDE_ONE.split(), 1),
    **dict.fromkeys(_HIDE_TWO.split(), 2),
}


#: Braces in braces beyond this are no text that a person wrote.
MAX_DEPTH = 40
_TOKEN = re.compile(r"\\[a-zA-Z]+\*?[ \t\n]*|\\.|[{}$^_~\n]|-{2,3}|``|''|[^\\{}$^_~\n\-`']+|.", re.DOTALL)
_OPTION = re.compile(r"[ \t\n]*\[[^\[\]]*\]")
_LIGATURES = {"--": "–", "---": "—", "``": "“", "''": "”", "~": " ", "\n": " "}
_DOTTED = {"ı": "i", "ȷ": "j"}


@dataclass(frozen=True, slots=True)
class Printed:
    """The text that a piece of LaTeX prints, with raised text as ``^{…}``; ``unknown`` are commands that LaTeX lacks.

    A command that is not known and has one argument is taken to print its argument. The texts of footnotes stand apart.
    """

    text: str
    unknown: tuple[str, ...] = ()
    footnotes: tuple[str, ...] = ()


def printed(source: str) -> Printed:
    """Return what the source prints, on one line with single blanks; refused where its braces don't match."""
    reader = _Reader(source)
    text = reader.read_group(depth=0)
    if reader.position < len(source):
        raise Refused("brace", "a brace is closed here that was not opened")
    footnotes = tuple(_one_line(note) for note in reader.footnotes)
    return Printed(_one_line(text), tuple(dict.fromkeys(reader.unknown)), footnotes)


def _one_line(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))


@dataclass
class _Reader:
    source: str
    position: int = 0
    is_math: bool = False
    unknown: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)

    def read_group(self, depth: int) -> str:
        """Return the text up to the brace that closes the group, or to the end outside of groups."""
        if depth > MAX_DEPTH:
            raise Refused("nesting", f"braces are nested more than {MAX_DEPTH} deep")
        parts: list[str] = []
        while match := _TOKEN.match(self.source, self.position):
            token = match[0]
            if token == "}":
                if depth:
                    self.position = match.end()
                return "".join(parts)
            self.position = match.end()
            parts.append(self._read_token(token, depth))
        if depth:
            raise Refused("brace", "a brace is opened and never closed")
        return "".join(parts)

    def _read_token(self, token: str, depth: int) -> str:
        if token == "{":
            return self.read_group(depth + 1)
        if token[0] == "\\" and len(token) > 1:
            return self._read_command(token[1:], depth)
        if token == "$":
            self.is_math = not self.is_math
            return ""
        if token == "^":
            return _raised(self._read_argument(depth))
        if token == "_" and self.is_math:
            return _lowered(self._read_argument(depth))
        if self.is_math and token.isspace():
            return ""
        return token if self.is_math and token.startswith("-") else _LIGATURES.get(token, token)

    def _read_command(self, token: str, depth: int) -> str:
        # Blanks behind the name of a command end it and print nothing.
        name = token.rstrip(" \t\n").rstrip("*") if token[0].isalpha() else token
        if name in SYMBOLS:
            return SYMBOLS[name]
        if name in ACCENTS and not self.is_math:
            return _accented(self._read_argument(depth), ACCENTS[name])
        if name in RAISES:
            return _raised(self._read_option() if name == "footnotemark" else self._read_argument(depth))
        if name in LOWERS:
            return _lowered(self._read_argument(depth))
        if name in FOOTNOTES:
            self._read_option()
            self.footnotes.append(self._read_argument(depth))
            return ""
        if name == "ding":
            return DINGBATS.get(self._read_argument(depth).strip(), "")
        if name in KEEPS:
            count, places = KEEPS[name]
            arguments = self._read_arguments(count, depth)
            return " ".join(arguments[number] for number in places)
        if name in DROPS:
            self._read_arguments(DROPS[name], depth)
            return ""
        if name in {"begin", "end"}:
            return self._read_environment(name, depth)
        return self._read_unknown(name, depth)

    def _read_unknown(self, name: str, depth: int) -> str:
        arguments = []
        while self.source.startswith("{", self.position):
            arguments.append(self._read_argument(depth))
        if len(arguments) == 1 and arguments[0].strip():
            return arguments[0]
        self.unknown.append(f"\\{name}")
        return " ".join([f"\\{name}", *arguments])

    def _read_environment(self, name: str, depth: int) -> str:
        """Skip the name of an environment and the columns of an inner table; what stands between is printed."""
        environment = self._read_argument(depth)
        if name == "begin" and environment.rstrip("*") in {"tabular", "array"}:
            self._read_arguments(1, depth)
        return " "

    def _read_arguments(self, count: int, depth: int) -> list[str]:
        arguments = []
        for _ in range(count):
            self._read_option()
            arguments.append(self._read_argument(depth))
        return arguments

    def _read_option(self) -> str:
        """Return what stands in square brackets here; nothing where there are none."""
        options = ""
        while match := _OPTION.match(self.source, self.position):
            self.position = match.end()
            options = match[0].strip()[1:-1]
        return options

    def _read_argument(self, depth: int) -> str:
        """Return the next group, or the next letter or command."""
        while self.source.startswith((" ", "\t", "\n"), self.position):
            self.position += 1
        if self.source.startswith("{", self.position):
            self.position += 1
            return self.read_group(depth + 1)
        if self.source.startswith("\\", self.position):
            match = _TOKEN.match(self.source, self.position)
            if match:
                self.position = match.end()
                if depth > MAX_DEPTH:
                    raise Refused("nesting", f"commands are nested more than {MAX_DEPTH} deep")
                return self._read_token(match[0], depth + 1)
        if self.position < len(self.source) and self.source[self.position] not in "}$":
            self.position += 1
            return self.source[self.position - 1]
        return ""


def _raised(text: str) -> str:
    text = text.replace("{", "").replace("}", "").strip()
    return f"^{{{text}}}" if text else ""


def _lowered(text: str) -> str:
    """Return text below the line; a deviation is printed there as well as behind a score."""
    return f" {text.strip()}" if text.strip().startswith(("±", "∓")) else f"_{text}"


def _accented(text: str, accent: str) -> str:
    """Return the text with the accent on its first letter."""
    if not text:
        return accent
    return _DOTTED.get(text[0], text[0]) + accent + text[1:]
