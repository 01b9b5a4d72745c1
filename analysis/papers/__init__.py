"""Tables and figures of five papers as pure functions: from scores, runs and judgements to figures.

``paper`` has what the papers share. Of each paper one file draws its panels of any scores, says in ``DRAWINGS`` which,
and in ``reproduce`` puts those of the data that ship beside the numbers that the paper prints. What the figures are
called, what is said of them and what the paper prints stands in a YAML file of the same name.
"""
