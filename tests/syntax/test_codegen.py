"""Text is that of LibCST's own code generation."""

import random
import sysconfig
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import libcst as cst
import pytest
from libcst._nodes.internal import CodegenState

from torch2jax.syntax.codegen import code, code_in
from torch2jax.syntax.walk import with_fields

SAMPLE = 40
CASES = Path(__file__).parent.parent / "cases"
ODD = """
def f(a, /, b: int=1 , *, c, **d) -> (int) : pass
def g(a=1,/): return(a)
async def h(*args, a, b = 2): x: int; y : int=3; await a
class A: pass
class B ( A, metaclass=type, ): x = 1;
class C():
    if a: b
    elif c :
        # comment
        d
    else: e
    # footer
for i, in x: continue
x [1:2, ::3, ...] += not -y.z  # end
x = y = (  (  1 ) , ) if a else [ *b , ]; z = {1 : 2, **a}
f ( a , * b, c = 1, ** d )
( # open
  a
  # between
) = 'c' "d" f"{e!r:>{w}}"
[a for b in c if d for e in f]
a is not b not in c != d <= e and f
lambda *, x: x
@ a.b
# below
@c
def k(): \\
    return
"""


def sampled_files() -> list[Path]:
    library = Path(sysconfig.get_path("stdlib"))
    files = sorted(path for path in library.rglob("*.py") if not {"site-packages", "test", "tests"} & {*path.parts})
    return [*random.Random(0).sample(files, SAMPLE), *sorted(CASES.rglob("*.py"))[::10]]


def expected(module: cst.Module, node: cst.CSTNode) -> str:
    state = CodegenState(module.default_indent, module.default_newline)
    node._codegen(state)
    return "".join(state.tokens)


def bare(value: Any) -> Any:
    """A tree with everything left out for which LibCST has a default."""
    if isinstance(value, (tuple, list)):
        return [bare(item) for item in value]
    if not isinstance(value, cst.CSTNode):
        return value
    changes = {field.name: bare(getattr(value, field.name)) for field in fields(value)}
    for field in fields(value):
        if "MaybeSentinel" in str(field.type) and not isinstance(value, cst.Param | cst.Parameters):
            changes[field.name] = cst.MaybeSentinel.DEFAULT
    match value:
        case cst.Param():
            changes |= dict.fromkeys(("star", "comma", "equal"), cst.MaybeSentinel.DEFAULT)
        case cst.Parameters(star_arg=cst.ParamStar()):
            changes["star_arg"] = cst.MaybeSentinel.DEFAULT
        case cst.Parameters(posonly_ind=cst.ParamSlash()):
            changes["posonly_ind"] = cst.MaybeSentinel.DEFAULT
    return with_fields(value, **changes)


def check_same_text(module: cst.Module, statements: Sequence[cst.BaseStatement]) -> None:
    for statement in statements:
        assert code_in(module, statement) == expected(module, statement)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("indent", ["    ", "\t"])
def test_odd_programs_keep_their_text(newline: str, indent: str) -> None:
    module = cst.parse_module(ODD.replace("    ", indent).replace("\n", newline))
    check_same_text(module, module.body)
    check_same_text(module, bare(module).body)


@pytest.mark.parametrize("path", sampled_files(), ids=lambda path: path.name)
def test_programs_keep_their_text(path: Path) -> None:
    module = cst.parse_module(path.read_bytes())
    check_same_text(module, module.body)
    check_same_text(module, bare(module).body)


@pytest.mark.parametrize(
    "node",
    [
        cst.Parameters([cst.Param(cst.Name("a"))], star_kwarg=cst.Param(cst.Name("b"))),
        cst.Parameters(posonly_params=[cst.Param(cst.Name("a"))], kwonly_params=[cst.Param(cst.Name("b"))]),
        cst.Parameters(posonly_params=[cst.Param(cst.Name("a"))]),
        cst.Parameters(star_arg=cst.Param(cst.Name("a")), kwonly_params=[cst.Param(cst.Name("b"))]),
        cst.Tuple([cst.Element(cst.Name("a"))]),
        cst.SimpleStatementLine([]),
        cst.IndentedBlock([]),
    ],
)
def test_what_is_left_out_is_filled_in(node: cst.CSTNode) -> None:
    assert code(node) == expected(cst.Module([]), node)
