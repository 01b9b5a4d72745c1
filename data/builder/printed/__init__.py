"""Finds the line of a source's file that prints a result, by what the file is made of and never by the number.

A reader takes the text of a file and gives a finder: a function from a row of results, with what ``collections.csv``
says of its collection, to what the file prints for its system, collection and measure. A finder answers ``None`` where
the file has no such place, or more than one.
"""
