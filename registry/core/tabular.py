"""Tables as Parquet and as Excel workbooks, typed by the one table of columns; and files in an archive."""

import io
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any
from xml.sax.saxutils import escape

import pyarrow as pa
from pyarrow.parquet import write_table

from registry.core.columns import COLUMNS

_TYPES = {"integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}
_TEXT = pa.string()
#: The date of every file in an archive, the earliest that ZIP knows: the same files make the same bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_SHEETS}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="results" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}


def parquet_bytes(columns: Sequence[str], rows: Sequence[Sequence[Any]], more: Sequence[str] = ()) -> bytes:
    """Return the rows as a Parquet file: numbers and truth values typed, several values in text with semicolons.

    After its columns stand ``more``, which hold numbers.
    """
    fields = [pa.field(name, _TYPES.get(COLUMNS[name].type, _TEXT)) for name in columns]
    fields += [pa.field(name, pa.float64()) for name in more]
    values = list(zip(*rows, strict=True)) or [()] * len(fields)
    arrays = [pa.array(map(_plain, column), field.type) for column, field in zip(values, fields, strict=True)]
    stream = io.BytesIO()
    write_table(pa.table(arrays, schema=pa.schema(fields)), stream)
    return stream.getvalue()


def workbook_bytes(columns: Sequence[str], rows: Sequence[Sequence[Any]], more: Sequence[str] = ()) -> bytes:
    """Return the rows as an Excel workbook of one sheet: numbers are numbers, and a text is never a formula."""
    lines = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in ((*columns, *more), *rows))
    sheet = f'<worksheet xmlns="{_SHEETS}"><sheetData>{lines}</sheetData></worksheet>'
    parts = {**_PARTS, "xl/worksheets/sheet1.xml": sheet}
    return zipped((path, f"{_XML}{content}") for path, content in parts.items())


def zipped(files: Iterable[tuple[str, str]]) -> bytes:
    """Return the files, given as their names and texts, as one archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), text, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _plain(value: Any) -> Any:
    return ";".join(value) if isinstance(value, tuple) else value


def _cell(value: Any) -> str:
    value = _plain(value)
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c><v>{value!r}</v></c>"
    text = "".join(letter for letter in str(value) if letter >= " " or letter in "\t\n")
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'
