"""What pages say of themselves to programs that read JSON-LD, in the words of schema.org."""

CONTEXT = "https://schema.org/"

_LICENCES = {"MIT", "Apache-2.0", "CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0"}


def licence_address(name: str) -> str:
    """Where the licence stands, of those with an SPDX name; else what it is called."""
    found = {"CC0": "CC0-1.0", "CC BY-SA 4.0": "CC-BY-SA-4.0", "CC BY 4.0": "CC-BY-4.0"}.get(name, name)
    return f"https://spdx.org/licenses/{found}.html" if found in _LICENCES else name
