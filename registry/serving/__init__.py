"""The web server in front of Django: ``python -m registry.serving``.

Granian speaks HTTP, ``bodies`` reads what visitors send, however slowly, and ``gateway`` hands whole requests to three
threads that answer them, in turns by address (``fairness``). No visitor keeps these waiting: neither by sending slowly
nor by reading slowly.
"""
