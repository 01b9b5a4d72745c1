"""Faults made at random in a room of the code, to see which of them its own tests catch.

``python -m tests.faults registry/search --n 20`` prints the share that is caught, and what survived.
"""
