"""Draw the pictures of the method pages: ``python docs/images/draw_methods.py [NAME …]``, all of them without a name.

Each shows what the worked example of its page computes. The drawing functions are in ``docs/drawing``.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from docs.drawing import IMAGES, PICTURES, draw

if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    for name in sys.argv[1:] or PICTURES:
        (IMAGES / f"{name}.svg").write_text(draw(name), encoding="utf-8")
