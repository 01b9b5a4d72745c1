"""Messages are asked for by their keys, and each that is written is asked for."""

import ast
import re
from pathlib import Path

import pytest

from registry.core.messages import message_files, read_messages, say, say_html

ROOT = Path(__file__).parents[3]
#: As templates ask for a message.
_TAG = re.compile(r"{[%{] say[ (]\"([\w-]+)\"")
#: As one message names another.
_REFERENCE = re.compile(r"{ ([a-z][\w-]*) }")


def asked_keys() -> tuple[set[str], set[str]]:
    """Return the keys that code and templates name, and the beginnings of those that they complete from data."""
    keys = {key for file in (ROOT / "templates").rglob("*.*") for key in _TAG.findall(file.read_text())}
    beginnings = set()
    for file in (ROOT / "registry").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                keys.add(node.value)
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                beginnings.add(str(node.values[0].value))
    return keys, {beginning for beginning in beginnings if re.fullmatch(r"[a-z-]+-", beginning)}


def test_every_message_is_asked_for() -> None:
    messages = {key: file for file in message_files() for key in read_messages(file)}
    keys, beginnings = asked_keys()
    named = {key for file in message_files() for key in _REFERENCE.findall(file.read_text())}
    unused = {key for key in messages if key not in keys | named and not key.startswith(tuple(beginnings))}
    assert unused == set(), "in a messages.ftl, and asked for by nobody"


def test_every_message_that_a_template_asks_for_is_written() -> None:
    messages = {key for file in message_files() for key in read_messages(file)}
    asked = {key for file in (ROOT / "templates").rglob("*.*") for key in _TAG.findall(file.read_text())}
    assert asked - messages == set()


def test_what_is_not_there_is_no_sentence() -> None:
    with pytest.raises(LookupError):
        say("nothing-has-this-key")
    with pytest.raises(ValueError, match="n-rows"):
        say("n-rows", rows="result")


def test_values_are_escaped_in_html() -> None:
    assert "<b>" not in say_html("aside-highest", name="<b>x</b>", value="0.1")


@pytest.mark.parametrize(
    ("text", "complaint"), [("a = x\na = y\n", "stands twice"), ("a =\n= b { $n -> }\n", "can't be read")]
)
def test_a_file_that_is_wrong_says_where(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "messages.ftl"
    file.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        read_messages(file)
