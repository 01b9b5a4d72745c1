"""What programs send to have two vectors of topic scores compared."""

from typing import Annotated

import msgspec


class Vectors(msgspec.Struct, forbid_unknown_fields=True):
    """The scores of two systems on the same topics, in the same order."""

    first: list[float]
    second: list[float]
    topics: Annotated[list[str] | None, "Names of the topics, each once; without them they are counted."] = None
    margin: Annotated[
        float | None,
        "The largest difference of the means that makes no difference, chosen before the scores were seen.",
    ] = None
