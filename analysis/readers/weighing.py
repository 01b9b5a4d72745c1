"""How much work a text is, told before any of it is read."""

#: A row that says where it is from has more characters than this.
_CHARACTERS = 100


def weigh(text: str | bytes) -> int:
    """Return as many rows as the text may be worth: its lines, or its hundreds of characters where those are more.

    A wide table has several results in a line; they are counted once it is read.

    >>> weigh("system,AP\\nBM25,0.25\\n"), weigh("x" * 10_001), weigh("")
    (2, 101, 1)
    """
    n_lines = text.count("\n") if isinstance(text, str) else text.count(b"\n")
    return max(n_lines, -(-len(text) // _CHARACTERS), 1)
