"""The web server in front of Django: ``python -m registry.serving``.

Granian speaks HTTP, ``bodies`` reads what visitors send, however slowly, and ``gateway`` hands whole requests to two
threads that answer them, one those who read. No visitor keeps these waiting: neither by sending slowly nor by reading
slowly.
"""
