"""Turns a folder of gathered figures into the product's own import format; see ``data/README.md``."""

import sys
from pathlib import Path

# Commands of this folder are run by path, with the folder itself in the search path alone; they read texts as the
# product does.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
