"""How many rooms the work goes through that somebody asks for: the apps and the packages whose functions are entered.

``python -m tests.rooms`` prints them for each walk, on an empty database of its own.
"""
