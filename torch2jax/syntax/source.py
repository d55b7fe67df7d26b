"""Read Python source into a LibCST module, or say in one line why that is impossible."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import libcst as cst


class SourceError(Exception):
    """The input cannot be read as Python source; `line` and `column` count from 1 (0: no position)."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Source:
    """One parsed file: where it came from, its text, and its tree."""

    path: str
    text: str
    module: cst.Module


def decode(data: bytes) -> str:
    """Decode source bytes as Python does (PEP 263: byte order mark, coding cookie, else UTF-8).

    Raises SourceError if the bytes are not text in that encoding.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise SourceError(f"cannot decode the file: {error}") from error


@contextmanager
def _without_validation() -> Iterator[None]:
    """LibCST checks every node that is made; what its parser makes is right, and a quarter of its time went into that."""
    check = cst.CSTNode.__post_init__
    type.__setattr__(cst.CSTNode, "__post_init__", _accept)
    try:
        yield
    finally:
        type.__setattr__(cst.CSTNode, "__post_init__", check)


def _accept(node: cst.CSTNode) -> None:
    del node


def parse_source(data: bytes | str, path: str) -> Source:
    """Parse one file. Raises SourceError for text that is not valid Python."""
    text = decode(data) if isinstance(data, bytes) else data
    try:
        with _without_validation():
            module = cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise SourceError(f"syntax error: {error.message}", error.raw_line, error.raw_column + 1) from error
    return Source(path, text, module)
