"""Read Python source into a LibCST module, or say in one line why that is impossible."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from contextlib import contextmanager

import libcst as cst

from torch2jax.records import dataclass
from torch2jax.syntax.walk import with_fields


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


_PIECE = 4096  # characters

# The end of a line above a blank one, where nothing but comments stands between it and a definition of the module.
_BOUNDARY = re.compile(r"\n(?=\n(?:#[^\n]*\n|\n)*(?:class|def|async|@)\b)")


def _pieces(text: str) -> Iterator[str]:
    """The text, cut above definitions of the module wherever a piece has become long enough."""
    start = 0
    for match in _BOUNDARY.finditer(text):
        end = match.end()
        if end - start < _PIECE:
            continue
        last = text[text.rfind("\n", 0, end - 1) + 1 : end].strip()
        if last and not last.startswith("#") and not last.endswith("\\"):
            yield text[start:end]
            start = end
    yield text[start:]


def _parse_in_pieces(text: str) -> cst.Module | None:
    """The module of a long text, or None where it must be parsed as a whole.

    The parser takes two thirds as long for pieces, whose tokens and alternatives fit into the caches, as for one text of
    thousands of lines. A cut in the wrong place, such as within a string or brackets, leaves a piece that does not parse.
    """
    if len(text) < 2 * _PIECE:
        return None
    try:
        first, *others = (cst.parse_module(piece) for piece in _pieces(text))
    except cst.ParserSyntaxError:
        return None
    body = [*first.body]
    above = first
    for module in others:
        layout = above.default_indent == module.default_indent and above.default_newline == module.default_newline
        if not layout or above.footer or not above.has_trailing_newline or not module.body:
            return None
        head, *rest = module.body
        body += with_fields(head, leading_lines=(*module.header, *getattr(head, "leading_lines", ()))), *rest
        above = module
    return with_fields(first, body=tuple(body), footer=above.footer, has_trailing_newline=above.has_trailing_newline)


def parse_source(data: bytes | str, path: str) -> Source:
    """Parse one file. Raises SourceError for text that is not valid Python."""
    text = decode(data) if isinstance(data, bytes) else data
    try:
        with _without_validation():
            module = _parse_in_pieces(text) or cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise SourceError(f"syntax error: {error.message}", error.raw_line, error.raw_column + 1) from error
    return Source(path, text, module)
