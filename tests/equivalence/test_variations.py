"""Programs that vary the training loop as people write it: translated to the same numbers, or flagged, never silently wrong.

The first line of a program says what must come out: `# expect: equal`, or the code of the error, which then stands
again at the end of the line that must be reported. `# expect: equal or T2J500` admits both.
"""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from tests.equivalence.harness import compare_training, convert_text

VARIATIONS = Path(__file__).parent / "programs" / "variations"
PROGRAMS = sorted(VARIATIONS.glob("*.py"))


def expectations(source: str) -> list[str]:
    match = re.match(r"# expect: ((?:equal|T2J\d{3})(?: or T2J\d{3})?)\n", source)
    assert match is not None, "the first line says what must come out"
    return match.group(1).split(" or ")


def with_main_part(text: str) -> str:
    """A script whose statements stand at module level, with all but its definitions under a main guard.

    Only so can the harness put its hooks in place before the program runs.
    """
    tree = ast.parse(text)
    if any(isinstance(item, ast.If) and "__name__" in ast.unparse(item.test) for item in tree.body):
        return text
    definitions = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    kept = [statement for statement in tree.body if isinstance(statement, definitions)]
    run = [statement for statement in tree.body if not isinstance(statement, definitions)]
    guard = ast.parse("if __name__ == '__main__':\n    pass").body[0]
    assert isinstance(guard, ast.If)
    guard.body = run
    return ast.unparse(ast.fix_missing_locations(ast.Module([*kept, guard], type_ignores=[])))


def errors(conversion: Any) -> list[Any]:
    return [d for d in conversion.diagnostics if str(getattr(d.severity, "value", d.severity)) == "error"]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program_is_equal_or_flagged(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    expected = expectations(source)
    conversion = convert_text(path)
    ast.parse(conversion.text)
    if expected == ["equal"] or ("equal" in expected and conversion.ok):
        assert not errors(conversion), [f"{d.line}: {d.code} {d.message}" for d in errors(conversion)]
        runs = compare_training(with_main_part(source), with_main_part(conversion.text), name=path.stem)
        assert runs.losses or runs.torch_run.printed
    else:
        code = expected[-1]
        marked = [n for n, line in enumerate(source.splitlines(), 1) if line.endswith(f"# {code}")]
        reported = [d.line for d in errors(conversion) if d.code == code]
        assert marked and set(marked) <= set(reported)
        assert not conversion.ok
