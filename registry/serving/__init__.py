"""The web server in front of Django: ``python -m registry.serving``.

Granian speaks HTTP, ``bodies`` reads what visitors send, however slowly, and ``gateway`` hands whole requests to the
one thread that answers them. No visitor keeps that thread waiting: neither by sending slowly nor by reading slowly.
"""
