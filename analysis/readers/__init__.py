"""Reading of published results: from text that people paste, type and exchange to rows of cells, and no further.

Tables as papers, programs and spreadsheets print them (CSV, Markdown, LaTeX, aligned text, score files and the output
of evaluation programs), files that describe runs (Every Eval Ever, ir_metadata, run cards, JSON), BibTeX, identifiers
of papers, numbers and names. What cannot be read is a :class:`~analysis.readers.rejections.Rejection` that names the
line and the column.

Nothing here knows a database or a site. Who knows which collections and measures there are hands that in as
:class:`~analysis.readers.names.Names`; :class:`~analysis.readers.columns.NoNames` knows none.

    >>> from analysis.readers.columns import NoNames
    >>> from analysis.readers.recognizing import read_text
    >>> [record] = read_text("| System | nDCG@10 |\\n|---|---|\\n| BM25 | 0.48 |", NoNames()).records
    >>> {column: text for column, text in record.cells.items() if text}
    {'measure': 'nDCG@10', 'system': 'BM25', 'value': '0.48'}

Files are imported by their own names. What stands lower imports nothing of what stands higher: the files of this folder
but one; ``latex``, ``bibliography`` and ``pasted`` (tables without a format of their own); ``exchange`` (formats for
programs); then ``recognizing``, which tells them apart and reads the fields of a form.
"""
