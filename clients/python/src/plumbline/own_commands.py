"""``plumbline own begin "Claims" --measure nDCG@10``: a collection of one's own from the command line."""

import argparse
import sys
from pathlib import Path
from typing import Any

from plumbline.own import Own
from plumbline.records import OwnBoard, OwnCollection, PublicOwnCollection
from plumbline.site import TOKEN_VARIABLE, Site


def add_commands(commands: Any) -> None:
    """Add ``own`` with its parts."""
    own = commands.add_parser("own", help=f"collections of your own (token: ${TOKEN_VARIABLE})")
    parts = own.add_subparsers(dest="part", required=True)
    begin = parts.add_parser("begin", help="name one; its address is printed")
    begin.add_argument("name")
    begin.add_argument("--measure", nargs="+", default=[], help="known here by name, as nDCG@10")
    begin.add_argument("--topics", type=Path, help="a file, one topic a line (default: those of what is sent)")
    _add_visibility(begin, "private")
    parts.add_parser("list", help="those that are still kept")
    parts.add_parser("public", help="those that people show to everybody; none is on record, none was reviewed")
    change = parts.add_parser("change", help="call it otherwise, say who sees it, or name its topics")
    change.add_argument("address", help="of its page, or its key")
    change.add_argument("--name")
    change.add_argument("--topics", type=Path, help="a file, one topic a line")
    _add_visibility(change, None)
    for name, meaning in (
        ("show", "what its boards say"),
        ("measure", "add a measure; runs that are there are scored under it"),
        ("remove-measure", "remove a measure with its tables"),
        ("judgements", "have runs be scored against a file of judgements"),
        ("run", "have a run scored"),
        ("table", "send a CSV table of topic scores"),
        ("delete", "delete it with everything in it"),
    ):
        part = parts.add_parser(name, help=meaning)
        part.add_argument("address", help="of its page, or its key")
        if name in ("measure", "remove-measure"):
            part.add_argument("measure")
        if name in ("judgements", "run", "table"):
            part.add_argument("file", type=Path)
        if name in ("run", "table"):
            part.add_argument("--name", default="", help="what it is called (default: as the file)")
        if name == "table":
            part.add_argument("--measure", required=True)
        if name == "measure":
            part.add_argument("--low", type=float)
            part.add_argument("--high", type=float)
            part.add_argument("--less-is-better", action="store_true")
            part.add_argument("--decimals", type=int)


def _add_visibility(parser: argparse.ArgumentParser, default: str | None) -> None:
    seen = parser.add_mutually_exclusive_group()
    for name, text in (
        ("private", "you alone see it"),
        ("unlisted", "whoever has its address sees it"),
        ("public", "everybody sees it, in a list under your user name, as not reviewed"),
    ):
        seen.add_argument(f"--{name}", dest="visibility", action="store_const", const=name, default=default, help=text)


def do(site: Site, options: argparse.Namespace) -> int:
    """Carry out a part of ``own``; return 0."""
    part = options.part
    if part == "begin":
        topics = _topics(options) or []
        own = Own.begin(options.name, measures=options.measure, topics=topics, visibility=options.visibility, site=site)
        print(_address(site, own.read()))
        return 0
    if part == "public":
        for shown in Own.public(site):
            print("\t".join([shown.name, ", ".join(shown.measures), shown.owner, _address(site, shown)]))
        return 0
    if part == "list":
        for collection in Own.all(site):
            measures = ", ".join(board.measure for board in collection.boards)
            print("\t".join([collection.name, measures, _address(site, collection)]))
        return 0
    own = Own(options.address, site)
    if part == "change":
        own.change(name=options.name, visibility=options.visibility, topics=_topics(options))
    elif part == "measure":
        about = {"low": options.low, "high": options.high, "decimals": options.decimals}
        own.add_measure(options.measure, higher_is_better=not options.less_is_better, **about)
    elif part == "remove-measure":
        own.remove_measure(options.measure)
    elif part == "judgements":
        own.put_judgements(options.file)
    elif part == "delete":
        own.delete()
    elif part == "show":
        print("\n".join(map(_line_of, own.read().boards)) or "It has no measure yet.")
    else:
        measure = options.measure if part == "table" else ""
        sent = (
            own.send_table(options.file, measure, name=options.name)
            if measure
            else own.send_run(options.file, name=options.name)
        )
        print("\n".join(f"{name}\t{mean:.4f}" for name, mean in sent.means.items()))
        for line in sent.report:
            print(f"{line.name}: {line.count:,}. {line.policy} {line.where}", file=sys.stderr)
    return 0


def _topics(options: argparse.Namespace) -> list[str] | None:
    """Return the topics in the named file, one a line."""
    if options.topics is None:
        return None
    return [line.strip() for line in options.topics.read_text(encoding="utf-8").splitlines() if line.strip()]


def _address(site: Site, own: OwnCollection | PublicOwnCollection) -> str:
    return f"{site.url.rstrip('/')}{own.url}"


def _line_of(board: OwnBoard) -> str:
    """Return the board in a line: the best mean, and how many systems tie for first."""
    lacking = f"; {len(board.lacking)} not scored under it yet" if board.lacking else ""
    if board.content is None:
        return f"{board.measure}\t{board.message or 'Nothing was sent yet.'}{lacking}"
    rows, verdict = board.content["inputs"]["rows"], board.content["findings"]["verdict"]
    members = f", {verdict['set']['n_members']} tied for first" if verdict["set"] else ""
    best = f"best {rows[0]['system']} {rows[0]['printed']}" if rows else "nothing"
    return f"{board.measure}\t{best}; {len(rows)} systems on {len(board.topics)} topics{members}{lacking}"
