"""The generated pages are what their generator makes today, and the README tells of them.

`UPDATE_SNAPSHOTS=1`, or `make docs`, writes them anew; review them like code.
"""

import ast
import os

import pytest

from tools import documents
from tools.gallery_calls import CALLS


@pytest.mark.parametrize("name", documents.PAGES)
def test_the_committed_page_is_up_to_date(name: str) -> None:
    path, page = documents.ROOT / "docs" / name, documents.PAGES[name]()
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        path.write_text(page, encoding="utf-8")
    assert path.exists(), f"docs/{name} is missing: run `make docs`"
    assert path.read_text(encoding="utf-8") == page, f"docs/{name} is not what the tables say: run `make docs`"


def test_the_most_used_names_have_calls() -> None:
    uses = documents.uses()
    ranked = sorted(uses, key=lambda name: (-uses[name], name))[: documents.GALLERY_SIZE]
    assert [name for name in ranked if name not in CALLS] == []


def test_calls_are_whole_programs_that_use_their_name() -> None:
    for name, call in CALLS.items():
        program = documents.source_of(call)
        ast.parse(program)
        assert name.rpartition(".")[2] in program, name


def test_what_a_reader_sees_of_a_program() -> None:
    call = ("self.fc = nn.Linear(2, 3)", "self.fc(x)")
    assert documents.shown(documents.source_of(call), call) == "self.fc = nn.Linear(2, 3)\nself.fc(x)"
    assert documents.shown(documents.source_of("b, n = x.shape"), "b, n = x.shape") == "b, n = x.shape"
    assert documents.shown(documents.source_of("x + y"), "x + y") == "x + y"


def test_a_call_with_an_error_cannot_enter_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CALLS, "Tensor.stride", "x.stride()")
    with pytest.raises(ValueError, match=r"Tensor\.stride: .*T2J"):
        list(documents.pairs(["Tensor.stride"]))
