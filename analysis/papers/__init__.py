"""Tables and figures of five papers as pure functions: from scores, runs and judgements to figures.

``paper`` has what the papers share. Of each paper one file draws its panels of any scores, and says in ``DRAWINGS``
which; ``<paper>_figures`` puts those of the data that ship beside the numbers that the paper prints.
"""
