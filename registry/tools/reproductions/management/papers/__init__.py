"""Papers by their name in the address: each file computes one of them from the data that ship."""

from collections.abc import Callable
from pathlib import Path

from registry.tools.reproductions.figures import Reproduction
from registry.tools.reproductions.management.papers.carterette import reproduce_carterette
from registry.tools.reproductions.management.papers.cormack_lynam import reproduce_cormack_lynam
from registry.tools.reproductions.management.papers.jayasinghe import reproduce_jayasinghe
from registry.tools.reproductions.management.papers.sanderson_zobel import reproduce_sanderson_zobel
from registry.tools.reproductions.management.papers.zobel import reproduce_zobel

PAPERS: dict[str, Callable[[Path], Reproduction]] = {
    "carterette-2015": reproduce_carterette,
    "sanderson-zobel-2005": reproduce_sanderson_zobel,
    "cormack-lynam-2006": reproduce_cormack_lynam,
    "jayasinghe-2014": reproduce_jayasinghe,
    "zobel-principles": reproduce_zobel,
}
