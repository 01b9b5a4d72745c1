"""What LaTeX's commands print: which are marks and letters, which keep what they are given, which leave nothing."""

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
