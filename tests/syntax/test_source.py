"""Long texts are parsed in pieces: the tree is the one that LibCST makes of the whole text."""

import argparse
import ast
import inspect
import textwrap
import turtle
import typing
from pathlib import Path
from types import ModuleType

import libcst as cst
import pytest

from torch2jax.syntax import source
from torch2jax.syntax.source import SourceError, parse_source

BLOCK = '''

class Block{i}(Base):
    """Text.

    More text.
    """

    width = {i}

    def method(self, x):
        return x + self.width  # a comment
'''
FILLER = "".join(BLOCK.format(i=i) for i in range(60))


def assert_same(text: str) -> None:
    whole = cst.parse_module(text)
    assert parse_source(text, "file.py").module.deep_equals(whole)


@pytest.mark.parametrize("module", [argparse, inspect, turtle, typing, ast, textwrap])
def test_files_of_the_standard_library(module: ModuleType) -> None:
    assert module.__file__ is not None
    assert_same(Path(module.__file__).read_text(encoding="utf-8"))


def test_long_texts_are_cut() -> None:
    pieces = list(source._pieces("import a\n" + FILLER))
    assert len(pieces) > 1
    assert "".join(pieces) == "import a\n" + FILLER
    assert all(piece.startswith("\n\nclass") for piece in pieces[1:])
    assert_same("import a\n" + FILLER)


@pytest.mark.parametrize(
    "between",
    [
        "\n\n# a comment\n\n\n# and one more\n",  # above the next class
        "        # in the method\n    # in the class\n\n# of the module\n",
        '\n\ntext = """\n\nclass Inner:\n    pass\n\n\ndef inner():\n    pass\n"""\n',
        "\n\nvalue = (first\n\n@name\n)\n",  # a product over several lines
        "\n\nvalue = first \\\n\n",
        "\n\n@decorated\n\n\n# above\n@twice(\n\n    1\n)\n",
        "\n\nif value:\n\n    x = 1\n\nelse:\n  y = 2\n",
        "\n\nfirst = 1; second = 2\n\n\nasync def f(): pass\n",
        "\n\ndef f(): pass\n\n\x0c\n",
        "\n\nfor i in x:\n\tpass\n",
    ],
)
def test_difficult_places(between: str) -> None:
    for text in (FILLER + between + FILLER, between.lstrip("\n") + FILLER if not between.startswith(" ") else FILLER):
        assert_same(text)


@pytest.mark.parametrize("end", ["", "\n", "\n\n# the end", "\n# the end\n", "\nx = 1", "    # of the class\n\n"])
def test_ends(end: str) -> None:
    assert_same(FILLER + end)
    assert_same(FILLER.rstrip("\n") + end)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_other_line_ends(newline: str) -> None:
    assert_same(FILLER.replace("\n", newline))
    assert_same(FILLER + FILLER.replace("\n", newline))


def test_other_indentation() -> None:
    narrow = FILLER.replace("    ", "  ")
    assert_same(narrow)
    assert_same(narrow + FILLER)
    assert_same(FILLER + narrow)


def test_an_error_in_a_piece_is_told_with_its_line_in_the_file() -> None:
    text = FILLER + "\n\ndef f(:\n    pass\n" + FILLER
    with pytest.raises(cst.ParserSyntaxError) as expected:
        cst.parse_module(text)
    with pytest.raises(SourceError) as caught:
        parse_source(text, "file.py")
    assert caught.value.line == expected.value.raw_line > FILLER.count("\n")
