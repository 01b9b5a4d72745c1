"""The statistics of Plumbline: pure functions on arrays, with frozen results.

Nothing here knows Django, files or global state. A module answers one question (see
``docs/architecture.md``); its public names are listed in its ``__all__``.
"""
