"""A drawing as shapes and words at places: what a template writes as SVG."""

from dataclasses import dataclass

from analysis.figures import Series


@dataclass(frozen=True, slots=True)
class Shape:
    """A path; ``kind`` is how it looks, in classes of the style sheet, and ``title`` what it is.

    Of dots with names, ``trace`` says of which series of the description that *Explore* reads, from which point on.
    """

    kind: str
    path: str
    title: str = ""
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A text: where it begins, has its middle or ends, and its foot; in units of the scene."""

    text: str
    x: float
    y: float
    kind: str = "note"
    anchor: str = "start"
    dx: float = 0.0


@dataclass(frozen=True, slots=True)
class Size:
    """A form of drawings: all lengths are pixels, but those across of a fluid one, which are thousandths.

    A fluid drawing is stretched to the width that there is, without its words; others are for screens as wide as
    ``screen`` says. ``most`` is the largest height of a swarm, ``least`` the smallest.
    """

    width: float
    left: float = 0.0
    right: float = 0.0
    names: float = 0.0
    height: float = 250.0
    n_ticks: int = 5
    radius: float = 3.0
    least: float = 70.0
    most: float = 260.0
    screen: str = ""
    is_fluid: bool = False
    is_bare: bool = False


def kind_of(line: Series) -> str:
    """Return how a series looks, in classes of the style sheet."""
    marks = {"is-highlighted": line.is_highlighted, "dashed": line.is_dashed, "hollow": line.is_hollow}
    return " ".join((line.style, *(mark for mark, is_so in marks.items() if is_so)))


#: For charts on any page: ``names`` is what names at the right take.
FLUID = Size(1000.0, left=90.0, right=20.0, names=230.0, is_fluid=True)
WIDE = Size(1178.0, left=52.0, right=14.0, names=270.0, height=200.0, n_ticks=8, radius=4.0, screen="wide-drawing")
MIDDLE = Size(740.0, left=48.0, right=14.0, names=216.0, height=220.0, n_ticks=6, radius=3.6, screen="middle-drawing")
NARROW = Size(358.0, left=38.0, right=14.0, names=96.0, height=260.0, n_ticks=4, radius=3.2, screen="narrow-drawing")
ON_PAGES = (WIDE, MIDDLE, NARROW)


@dataclass(frozen=True, slots=True)
class Scene:
    """A drawing in one size; ``top`` and ``foot`` are the ends of its field."""

    size: Size
    height: float
    top: float
    foot: float
    shapes: tuple[Shape, ...]
    words: tuple[Words, ...]

    @property
    def placed(self) -> list[tuple[Words, str]]:
        """Return the words with their places across as an SVG has them."""
        unit = "%" if self.size.is_fluid else ""
        return [(text, f"{round(text.x / 10 if unit else text.x, 2):g}{unit}") for text in self.words]


#: For cards, which are shown small: drawn small and enlarged. For rows of tables, without words, at half of this size.
CARD = Size(800.0, n_ticks=8, radius=3.2, most=105.0)
SMALL = Size(240.0, left=14.0, radius=2.4, least=40.0, most=26.0, screen="small", is_bare=True)
#: For strips in tables, of dots that have names.
STRIP = Size(480.0, left=6.0, radius=3.2, least=0.0, most=96.0, screen="strip", is_bare=True)
CLAIM = Size(320.0, left=6.0, radius=5.0, least=0.0, most=20.0, screen="strip", is_bare=True)
