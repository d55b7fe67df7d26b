"""Writes small random programs that torch accepts.

Every statement is run in torch as it is written, with the program's own inputs, and taken back where torch refuses it or its
values get out of hand. So shapes, types and values of all variables are known at each point, and hardly any program is in vain.
"""

import copy
import math
import random
import re
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
import torch._dynamo  # which the first optimizer would load, within the time limit of its statement
import torch.nn.functional as F
from torch import Tensor, nn

from tests.fuzz import templates
from tests.fuzz.templates import lines

HEADER = """\
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
"""
_GLOBALS = {"math": math, "torch": torch, "nn": nn, "F": F, "Tensor": Tensor}
_HOLE = re.compile(r"\{([ADEFIMLskcndpT])\}")
_NAMES = "a b c e g u v w y z".split()
_SHAPES = ((3,), (3,), (3,), (2, 3), (2, 3), (2, 3), (3, 3), (3, 2))
_REFUSALS = (
    RuntimeError, IndexError, TypeError, ValueError, KeyError, AttributeError, ArithmeticError, NameError, SyntaxError,
)  # fmt: skip
_TENSORS = [(family, line) for family, text in templates.TENSORS.items() for line in lines(text)]
_WEIGHTS = {"python": 0.3, "draws": 0.25, "dtypes": 0.7}


class Refused(Exception):
    """Nothing suitable was found: the statement is given up."""


@dataclass(frozen=True, slots=True)
class Program:
    """Source text of helpers and an entry function; `inputs` are expressions for its arguments, one list for each run."""

    name: str
    source: str
    inputs: tuple[tuple[str, ...], ...]
    tags: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Body:
    """The function that is being written: what its names hold, and its lines."""

    env: dict[str, Any]
    params: list[str]
    lines: list[str] = field(default_factory=list)
    indent: int = 1
    loops: int = 0
    mutable: bool = False
    """Whether what the caller passed may be changed."""


def generate(number: int, seed: int, hazard: float = 0.07) -> Program:
    """One program. A share of `hazard` of them writes to shared memory and to arguments, which is often refused."""
    rng = random.Random(f"{seed}/{number}")
    return _Writer(rng, f"f{number}", rng.random() < hazard).program()


class _Writer:
    def __init__(self, rng: random.Random, name: str, hazard: bool) -> None:
        self.rng = rng
        self.name = name
        self.hazard = hazard
        self.helpers: list[str] = []
        self.tags: set[str] = {"hazard"} if hazard else set()
        self.count = 0
        self.quiet = not hazard
        """Whether nothing is drawn where no key could be passed: most of what is written may end up in such places."""

    # The whole.

    def program(self) -> Program:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            return self._program()

    def _program(self) -> Program:
        rng = self.rng
        runs: list[list[str]] = [[], []]
        params = []
        for name in "xpq"[: rng.randint(1, 3)]:
            shape, kind = rng.choice(_SHAPES), rng.choice(("float", "float", "float", "int", "double"))
            for run in runs:
                run.append(_literal(rng, shape, kind))
            params.append((name, "Tensor"))
        for name, kind in (("n", "int"), ("s", "float"), ("flag", "bool")):
            if rng.random() < 0.35:
                for run in runs:
                    choices = {"int": ("1", "2", "3"), "float": ("0.5", "1.5", "-2.0"), "bool": ("True", "False")}
                    run.append(rng.choice(choices[kind]))
                params.append((name, kind))
        env = {name: eval(text, dict(_GLOBALS)) for (name, _), text in zip(params, runs[0], strict=True)}
        env |= {f"_{name}": value for name, value in env.items()}
        body = _Body(_Env(env), [name for name, _ in params], mutable=self.hazard and rng.random() < 0.2)
        self.fill(body, rng.randint(3, 10))
        self.fill_result(body)
        typed = rng.random() < 0.67
        head = ", ".join(f"{name}: {kind}" if typed else name for name, kind in params)
        self.tags |= set() if typed else {"untyped"}
        text = "\n".join([f"def {self.name}({head}):", *body.lines])
        source = "\n\n\n".join([*self.helpers, text]) + "\n"
        return Program(self.name, source, tuple(tuple(run) for run in runs), frozenset(self.tags))

    def fill(self, body: _Body, count: int) -> None:
        for _ in range(count):
            self.statement(body)

    def fill_result(self, body: _Body) -> None:
        names = [name for name, value in body.env.items() if _is_result(value) and name[0] != "_"]
        self.rng.shuffle(names)
        names = sorted(names[:5]) or body.params[:1]
        style = self.rng.random()
        if style < 0.1:
            text = "{" + ", ".join(f'"{name}": {name}' for name in names) + "}"
        elif style < 0.2:
            text = f"[{', '.join(names)}]"
        else:
            text = ", ".join(names)
        body.lines.append(f"    return {text}")

    # Statements.

    def statement(self, body: _Body) -> None:
        kinds: dict[Callable[[_Body], None], float] = {
            self.assign: 1,
            self.assign_deep: 5,
            self.assign_several: 1.5,
            self.augment: 1.5,
            self.store: 3,
            self.inplace: 3,
            self.write_out: 0.7,
            self.alias: 2 if self.hazard else 0.7,
            self.number: 1,
            self.containers: 2,
            self.branch: 2 if body.indent < 4 else 0,
            self.loop: 2 if body.loops < 2 else 0,
            self.call_helper: 1.5 if body.indent < 3 else 0,
            self.nested_function: 0.4 if body.indent < 3 else 0,
            self.use_module: 0.7 if body.indent < 3 else 0,
            self.early_return: 0.5 if body.indent == 1 else 0,
            self.odds: 0.6,
            self.draw: 0.4,
            self.train: 0.5 if body.indent == 1 and body.loops == 0 else 0,
            self.gradient: 0.3 if body.indent == 1 and body.loops == 0 else 0,
            self.plain_class: 0.4 if body.indent < 3 else 0,
            self.global_value: 0.3 if body.indent < 3 else 0,
        }
        for _ in range(4):
            kind = self.rng.choices(list(kinds), list(kinds.values()))[0]
            if self.attempt(body, kind):
                return

    def attempt(self, body: _Body, kind: Callable[[_Body], None]) -> bool:
        """Write a statement and run it; whether that went well."""
        kept, count, helpers, before = len(body.lines), self.count, len(self.helpers), snapshot(body.env)
        tags, shared = set(self.tags), body.env.shared()
        self.tags.add(kind.__name__)
        try:
            kind(body)
            if not self.hazard and body.env.shared() > shared and self.rng.random() < 0.9:
                raise Refused
            if not all(_is_tame(value) for value in body.env.values()):
                raise Refused
            if any(_repeats(tensor) for value in body.env.values() for tensor in _tensors(value)):
                raise Refused
        except (Refused, *_REFUSALS):
            del body.lines[kept:]
            del self.helpers[helpers:]
            self.count = count
            self.tags = tags
            restore(body.env, before)
            return False
        return True

    def do(self, body: _Body, *text: str) -> None:
        """Run lines and write them."""
        execute("\n".join(text), body.env)
        body.lines.extend("    " * body.indent + line for line in text)

    def assign(self, body: _Body) -> None:
        quiet, self.quiet = self.quiet, False
        try:
            self.do(body, f"{self.target(body)} = {self.tensor(body, 1)}")
        finally:
            self.quiet = quiet

    def assign_deep(self, body: _Body) -> None:
        self.do(body, f"{self.target(body)} = {self.tensor(body, 2)}")

    def assign_several(self, body: _Body) -> None:
        rng = self.rng
        a, b = rng.sample(_NAMES, 2)
        tensors = self.names(body, Tensor)
        choices = [
            lambda: f"{a}, {b} = {self.tensor(body, 1)}, {self.tensor(body, 1)}",
            lambda: f"{a}, {b} = torch.cat([{self.tensor(body, 0)}] * 2).chunk(2)",
            lambda: f"{a}, {b} = {self.tensor(body, 0)}",
            lambda: f"{a}, *{b} = {self.tensor(body, 0)}",
            lambda: f"{a}, {b} = {self.tensor(body, 0)}.max(0)",
            lambda: f"{a}, {b} = {self.tensor(body, 0)}.sort(-1)",
            lambda: f"({a}, {b}), c = {self.tensor(body, 0)}.split([1, {rng.randint(1, 2)}]), {self.tensor(body, 1)}",
            lambda: f"{a}, {b} = {self.tensor(body, 0)}.shape",
            lambda: f"{a} = {b} = {self.tensor(body, 1)}",
            lambda: "{0}, {1} = {1}, {0}".format(*rng.sample(tensors, 2)),
            lambda: f"{a}, {b} = {self.tensor(body, 0)}.topk(2)",
            lambda: f"{a}, {b} = torch.meshgrid(torch.arange(2), torch.arange(3), indexing='ij')",
            lambda: f"{a}, {b} = [row * 2 for row in {self.tensor(body, 0)}]",
        ]
        self.do(body, rng.choice(choices)())

    def augment(self, body: _Body) -> None:
        name, op = self.changeable(body), self.rng.choice(("+=", "-=", "*=", "/=", "+=", "//=", "**=", "&=", "@="))
        value = self.tensor(body, 1) if self.rng.random() < 0.6 else self.number_text(body)
        self.do(body, f"{name} {op} {value}")

    def store(self, body: _Body) -> None:
        name, rng = self.changeable(body), self.rng
        index = self.expression(body, rng.choice(lines(templates.INDICES)).replace("{T}", name), 0)
        value = self.tensor(body, 1) if rng.random() < 0.5 else self.number_text(body)
        op = rng.choice(("=", "=", "=", "+=", "*=", "-="))
        place = f"{name}[{index}]"
        if rng.random() < (0.3 if self.hazard else 0.01):
            self.tags.add("store through a view")
            place = f"{name}{rng.choice(('[0]', '.view(-1)', '.T', '[:2]', '.flatten()', '.data'))}[{index}]"
        if rng.random() < (0.2 if self.hazard else 0.01):
            self.tags.add("in-place method of a part")
            self.do(body, f"{place}.{self.expression(body, rng.choice(lines(templates.INPLACE)), 0)}")
        else:
            stored, part = eval(value, body.env.scope()), eval(place, body.env.scope())
            if isinstance(stored, Tensor) and stored.dim() > part.dim():
                raise Refused  # torch drops leading axes of size 1
            if part.dtype == torch.bool:
                raise Refused  # where nothing says that it holds truth values it is taken for numbers
            chosen = eval(index, body.env.scope()) if re.fullmatch(r"[^:]*", index) else None
            if isinstance(chosen, Tensor) and chosen.dtype == torch.bool and rng.random() < 0.9:
                value = self.number_text(body)
            self.do(body, f"{place} {op} {value}")

    def inplace(self, body: _Body) -> None:
        name = self.changeable(body)
        call = f"{name}.{self.expression(body, self.rng.choice(lines(templates.INPLACE)), 0)}"
        value = body.env[name]
        if value.dim() == 0 and re.search(r"\(0|cumsum|diagonal|triu", call):
            raise Refused
        if "masked_fill" in call and not value.is_floating_point():
            raise Refused  # of a tensor of unknown type it is taken to be floating
        style = self.rng.random()
        if style < 0.12:
            call = f"{name} = {call}"
        elif style < (0.25 if self.hazard else 0.125):
            self.tags.add("in-place method in an expression")
            call = f"{self.target(body)} = {call} + {self.tensor(body, 0)}"
        elif style > 0.97:
            self.tags.add("in-place method of a fresh tensor")
            call = f"{self.target(body)} = {name}.clone().{call.partition('.')[2]}"
        self.do(body, call)

    def write_out(self, body: _Body) -> None:
        name = self.changeable(body)
        text = self.expression(body, self.rng.choice(lines(templates.OUT)).replace("{T}", name), 0)
        if "nn." in text or (text.startswith("F.relu") and _is_input(body, name)):
            raise Refused
        self.do(body, text if self.rng.random() < (0.7 if self.hazard else 0.97) else f"{self.target(body)} = {text}")

    def alias(self, body: _Body) -> None:
        name = self.rng.choice(self.names(body, Tensor) or [_refuse()])
        text = self.expression(body, self.rng.choice(lines(templates.ALIASES)).replace("{T}", name), 0)
        if "requires_grad" in text and self.rng.random() < 0.9:
            raise Refused
        self.do(body, f"{self.target(body)} = {text}")

    def number(self, body: _Body) -> None:
        rng = self.rng
        ints = self.names(body, int)
        if ints and rng.random() < 0.4:
            self.do(body, f"{rng.choice(ints)} {rng.choice(('+=', '-=', '*='))} {rng.choice('123')}")
        elif rng.random() < 0.6:
            self.do(body, f"{rng.choice('nkm')} = {self.integer(body)}")
        elif rng.random() < 0.5:
            self.do(body, f"{rng.choice('st')} = {self.number_text(body)}")
        else:
            self.do(body, f"flag = {self.condition(body)}")

    def containers(self, body: _Body) -> None:
        rng = self.rng
        lists, dicts = self.names(body, list), self.names(body, dict)
        choices = [
            lambda: f"items = [{self.tensor(body, 1)}, {self.tensor(body, 1)}]",
            lambda: f"items = [row + {self.number_text(body)} for row in {self.tensor(body, 0)}]",
            lambda: f"items = [{self.tensor(body, 0)} * i for i in range({rng.randint(1, 3)}) if i != 1]",
            lambda: f'table = {{"a": {self.tensor(body, 1)}, "b": {self.tensor(body, 0)}}}',
            lambda: f"table = {{i: row * i for i, row in enumerate({self.tensor(body, 0)})}}",
            lambda: f"pair = ({self.tensor(body, 0)}, {self.tensor(body, 1)})",
            lambda: f"items = list({self.tensor(body, 0)})",
            lambda: f"items = list({self.tensor(body, 0)}.unbind(-1))",
            lambda: "items = []",
        ]
        if lists:
            name = rng.choice(lists)
            choices += [
                lambda: f"{name}.append({self.tensor(body, 1)})",
                lambda: f"{name}.append({self.tensor(body, 1)})",
                lambda: f"{name}[{rng.choice(('0', '-1'))}] = {self.tensor(body, 1)}",
                lambda: f"{name}[0] {rng.choice(('+=', '*='))} {self.tensor(body, 0)}",
                lambda: f"{self.target(body)} = {name}.pop()",
                lambda: f"{name}.extend([{self.tensor(body, 0)}])",
                lambda: f"{name} += [{self.tensor(body, 0)}]",
                lambda: f"{name} = {name} + [{self.tensor(body, 0)}]",
                lambda: f"{name}.insert(0, {self.tensor(body, 0)})",
                lambda: f"{name} = {name}[::-1]",
                lambda: f"other = {name}",
                lambda: f"{name}[0][0] = {self.number_text(body)}",
                lambda: f"{name}[0].add_({self.number_text(body)})",
                lambda: f"{self.target(body)}, *rest = {name}",
                lambda: f"del {name}[0]",
                lambda: f"{self.target(body)} = torch.cat({name}, dim=0)",
                lambda: f"{self.target(body)} = torch.stack({name}, dim=-1)",
            ]
        if dicts:
            name = rng.choice(dicts)
            choices += [
                lambda: f'{name}["b"] = {self.tensor(body, 1)}',
                lambda: f'{name}["a"] += {self.tensor(body, 0)}',
                lambda: f'{self.target(body)} = {name}["a"] + {self.tensor(body, 0)}',
                lambda: f'{self.target(body)} = {name}.get("a", {self.tensor(body, 0)})',
                lambda: f"{name}.update(c={self.tensor(body, 0)})",
                lambda: f'{self.target(body)} = {name}.pop("a")',
                lambda: f"{self.target(body)} = sum(e.sum() for e in {name}.values())",
                lambda: f'{name}["a"][0] = {self.number_text(body)}',
                lambda: f"{name} = {{k: v * 2 for k, v in {name}.items()}}",
                lambda: f'{name} = {{**{name}, "d": {self.tensor(body, 0)}}}',
                lambda: f'{name}["a"].mul_({self.number_text(body)})',
            ]
        text = rng.choice(choices)()
        if (
            not self.hazard
            and re.match(r'(items|table|other)\["?\w+"?\](\[| \W=|\.\w+_\()', text)
            and rng.random() < 0.8
        ):
            raise Refused
        self.do(body, text)

    def branch(self, body: _Body) -> None:
        arms = self.rng.choice(("if", "if", "if else", "if else", "if elif else"))
        text: list[str] = []
        defined: list[set[str]] = []
        before = snapshot(body.env)
        for arm in arms.split():
            restore(body.env, before)
            text.append("else:" if arm == "else" else f"{arm} {self.condition(body)}:")
            text += self.block(body, self.rng.randint(1, 3))
            defined.append(set(body.env))
        restore(body.env, before)
        if not arms.endswith("else"):
            defined.append(set(before))
        self.do(body, *text)
        self.forget(body, set.intersection(*defined))

    def loop(self, body: _Body) -> None:
        rng = self.rng
        before = snapshot(body.env)
        tensor, times = (lambda: self.tensor(body, 0)), rng.randint(1, 3)
        name, other = rng.sample(_NAMES, 2)
        lists, dicts = self.names(body, list), self.names(body, dict)
        heads: list[tuple[str, str]] = [
            (f"for i in range({times}):", "i = 0"),
            (f"for i in range({times}):", "i = 0"),
            (f"for _ in range({times}):", ""),
            (f"for {name} in {tensor()}:", ""),
            (f"for i, {name} in enumerate({tensor()}):", ""),
            (f"for {name}, {other} in zip({tensor()}, {tensor()}):", ""),
            (f"for i in range({tensor()}.shape[0]):", "i = 0"),
            (f"for i in reversed(range({times})):", "i = 0"),
            (f"for {name} in ({tensor()}, {tensor()}):", ""),
            (f"while count < {times}:", "count = 0"),
            (f"while {tensor()}.sum() < {times} and count < 3:", "count = 0"),
        ]
        heads += [(f"for {name} in {item}:", "") for item in lists]
        heads += [(f"for label, {name} in {item}.items():", "") for item in dicts]
        head, start = rng.choice(heads)
        if start.startswith("count"):
            if "count" in body.env:
                raise Refused
            self.do(body, start)
        elif start:
            execute(start, body.env)
        else:
            one = f"for {head[4:-1].partition(' in ')[0]} in [*{head[4:-1].partition(' in ')[2]}][:1]: pass"
            execute(one, body.env)
        body.loops += 1
        try:
            block = self.block(body, rng.randint(1, 3))
        finally:
            body.loops -= 1
        if "while" in head:
            block.insert(0 if rng.random() < 0.3 else len(block), "    count += 1")
        if rng.random() < 0.25:
            starts = [at for at, line in enumerate(block) if re.match(r"    (?!else|elif|finally|except)\S", line)]
            word = "break" if rng.random() < 0.5 or "while" in head else "continue"
            at = rng.choice(starts)
            block[at:at] = [f"    if {self.condition(body)}:", f"        {word}"]
            self.tags.add("break")
        if re.search(r" in (items|other|pair|rest|table)\b", head) and re.search(
            r"(append|extend|insert|update)\(|\+= \[|\] = |pop|del ", "\n".join(block)
        ):
            raise Refused  # it might never end
        text = [head, *block]
        if rng.random() < 0.08:
            text += ["else:", *self.block(body, 1)]
        if "while" in head:
            before["count"] = 0
        restore(body.env, before)
        self.do(body, *text)
        self.forget(body, set(before))

    def block(self, body: _Body, count: int) -> list[str]:
        """Write and run statements, one step further in; returns their lines, which are not yet part of the body."""
        start, indent = len(body.lines), body.indent
        body.indent = 1
        body.lines, outer = [], body.lines
        try:
            depth = indent + 1
            body.indent = 1
            self.fill_nested(body, count, depth)
            found = body.lines or ["    pass"]
        finally:
            body.lines, body.indent = outer, indent
        del outer[start:]
        return found

    def fill_nested(self, body: _Body, count: int, depth: int) -> None:
        """Statements with one step of indentation; compound ones only where there is room."""
        for _ in range(count):
            body.indent = 1
            kind = self.rng.choices(
                [
                    self.assign_deep,
                    self.augment,
                    self.store,
                    self.inplace,
                    self.number,
                    self.containers,
                    self.branch,
                    self.loop,
                    self.alias,
                    self.odds,
                    self.assign_several,
                    self.draw,
                ],
                [
                    4,
                    3,
                    3,
                    3,
                    1,
                    1.5,
                    1.2 if depth < 4 else 0,
                    0.8 if depth < 4 and body.loops < 2 else 0,
                    1 if self.hazard else 0.4,
                    0.4,
                    0.7,
                    0.3,
                ],
            )[0]
            for _ in range(3):
                if self.attempt(body, kind):
                    break

    def forget(self, body: _Body, defined: set[str]) -> None:
        """Names that are not bound on every path are not used any more."""
        for name in list(body.env):
            if name not in defined and name[0] != "_":
                del body.env[name]

    def early_return(self, body: _Body) -> None:
        condition = self.condition(body)
        if eval(condition, body.env.scope()):
            condition = f"not ({condition})"
        result = (
            ", ".join(self.rng.sample(self.names(body, Tensor), 1)) if self.rng.random() < 0.5 else self.tensor(body, 1)
        )
        body.lines += [f"    if {condition}:", f"        return {result}"]

    def odds(self, body: _Body) -> None:
        rng = self.rng
        name = self.target(body)
        choices = [
            lambda: ["with torch.no_grad():", f"    {name} = {self.tensor(body, 1)}"],
            lambda: ["try:", f"    {name} = {self.tensor(body, 1)}", "finally:", "    done = True"],
            lambda: [f"assert {self.tensor(body, 0)}.shape[0] > 0"],
            lambda: [f"if ({name} := {self.tensor(body, 1)}).dim() > 0:", f"    {name} = {name} * 2"],
            lambda: [f"{name}: Tensor = {self.tensor(body, 1)}"],
            lambda: [f"{name} = None", f"{name} = {self.tensor(body, 0)} if {name} is None else {name}"],
            lambda: [f"{name} = {self.tensor(body, 1)}", f"keep = {name}", f"{name} = {name} + 1"],
            lambda: [f"text = f'{{{self.integer(body)}}}'"],
            lambda: [f"text = f'{{{self.tensor(body, 0)}.shape[0]}} of {{tuple({self.tensor(body, 0)}.shape)}}'"],
            lambda: [f'text = "x".join(str(size) for size in {self.tensor(body, 0)}.shape)'],
            lambda: [
                "try:",
                f"    {name} = {self.tensor(body, 1)}",
                "except ValueError:",
                f"    {name} = {self.tensor(body, 0)}",
            ],
            lambda: [f"{name} = [{self.tensor(body, 0)}, {self.tensor(body, 0)}][int({self.condition(body)})]"],
            lambda: [f"{name} = torch.func.grad(lambda q: (q * {self.tensor(body, 0)}).sum())({self.tensor(body, 0)})"],
            lambda: [f"{name} = torch.vmap(lambda q: q * {self.number_text(body)})({self.tensor(body, 0)})"],
        ]
        self.do(body, *rng.choice(choices)())

    def draw(self, body: _Body) -> None:
        """A draw into a variable that is used in ways that do not depend on what was drawn."""
        rng = self.rng
        how = rng.choice(
            (
                "torch.rand(3)",
                "torch.randn(2, 3)",
                "torch.rand_like(%s)",
                "torch.zeros(3).uniform_(1, 2)",
                "torch.empty(3).normal_()",
                "F.dropout(torch.ones(3), 0.5)",
                "torch.rand(3, generator=torch.Generator().manual_seed(1))",
                "torch.normal(0.0, 1.0, (2, 3))",
                "torch.randperm(4).float()",
            )
        )
        if "%s" in how:
            how %= self.tensor(body, 0)
        use = rng.choice(
            (
                "(drawn == torch.rand(3)).any()",
                "drawn.shape[0] + {}",
                "drawn.numel() * {}",
                "(drawn * 0) + {}",
                "drawn.isfinite() & True",
                "(drawn == drawn.clone()).all()",
            )
        )
        use = use.format(self.tensor(body, 0))
        self.do(body, f"drawn = {how}")
        self.do(body, f"{self.target(body)} = {use}")
        body.env.pop("drawn")

    # Functions and modules.

    def helper_body(self, given: dict[str, Any], mutable: bool, count: int) -> _Body:
        values = copy.deepcopy(given)
        values |= {f"_{name}": value for name, value in values.items()}
        body = _Body(_Env(values), list(given), mutable=mutable)
        for _ in range(count):
            self.fill_nested(body, 1, 3)
        return body

    def call_helper(self, body: _Body) -> None:
        rng = self.rng
        self.count += 1
        name = f"{self.name}_h{self.count}"
        tensors = self.names(body, Tensor)
        given = rng.sample(tensors, min(len(tensors), rng.randint(1, 2)))
        if not given:
            raise Refused
        params = ["d", "o"][: len(given)]
        mutable = self.hazard and rng.random() < 0.5
        values = {param: body.env[item] for param, item in zip(params, given, strict=True)}
        inner = self.helper_body(values, mutable, rng.randint(1, 4))
        results = [n for n, v in inner.env.items() if _is_result(v) and n[0] != "_"]
        style = rng.choice(("one", "one", "two", "nothing", "dict", "recursive", "early"))
        if style == "nothing" and not mutable:
            style = "one"
        head, call, tail = ", ".join(f"{p}: Tensor" for p in params), ", ".join(given), ""
        text = list(inner.lines)
        if rng.random() < 0.25:
            head, call = head + ", m: int = 2", call + rng.choice(("", ", 3", ", m=1"))
            results.append("m")
        elif rng.random() < 0.1:
            call = f"*[{call}]"
        elif rng.random() < 0.1:
            head, text = "*parts", [f"    {', '.join(params)}{',' * (len(params) == 1)} = parts", *text]
        elif rng.random() < 0.15:
            call = ", ".join(f"{p}={g}" for p, g in zip(params, given, strict=True))
        first = rng.choice(results)
        target = self.target(body)
        match style:
            case "one":
                text.append(f"    return {first}")
            case "two":
                second = rng.choice(results)
                text.append(f"    return {first}, {second}")
                target += ", " + rng.choice([n for n in _NAMES if n != target])
            case "dict":
                text.append(f'    return {{"r": {first}}}')
                tail = '["r"]'
            case "nothing":
                target = ""
            case "early":
                inner_result = rng.choice(results)
                text[0:0] = [
                    f"    if {params[0]}.sum() > {rng.choice(('0', '1.5', '-1'))}:",
                    f"        return {params[0]} * 2",
                ]
                text.append(f"    return {inner_result}")
            case "recursive":
                head = "d: Tensor, depth: int"
                call = f"{given[0]}, {rng.randint(1, 3)}"
                step = rng.choice(("d + 1", "d * 0.5", "d.flip(0)", "d - d.mean()"))
                text = [
                    "    if depth == 0:",
                    "        return d",
                    f"    return {name}({step}, depth - 1)" + rng.choice((" + d", "", " * 2")),
                ]
        definition = "\n".join([f"def {name}({head}):", *text])
        if style != "recursive" and rng.random() < 0.2 and body.indent == 1:
            self.tags.add("nested helper")
            self.do(body, *definition.split("\n"))
        else:
            execute(definition, body.env)
            self.helpers.append(definition)
        self.do(body, f"{target} = {name}({call}){tail}" if target else f"{name}({call})")

    def nested_function(self, body: _Body) -> None:
        rng = self.rng
        self.count += 1
        name, target = f"{rng.choice(('step', 'apply', 'inner'))}{self.count}", self.target(body)
        style = rng.random()
        if style < 0.4:
            self.do(body, f"{name} = lambda q: {self.tensor(body, 1)} + q")
        elif style < 0.6:
            self.do(body, f"{name} = lambda q, r={self.tensor(body, 0)}: q * r")
        elif style < 0.8:
            self.do(body, f"def {name}(q):", f"    return q * 2 + {self.tensor(body, 1)}")
        else:
            outer = rng.choice(self.names(body, Tensor) or [_refuse()])
            step = [f"def {name}(q):", f"    nonlocal {outer}", f"    {outer} = {outer} + q", f"    return {outer} * 2"]
            if outer in body.params:
                raise Refused
            execute("\n".join(step).replace("nonlocal", "global"), body.env)
            body.lines += ["    " * body.indent + line for line in step]
        if rng.random() < 0.3:
            self.attempt(body, self.assign)
        self.do(body, f"{target} = {name}({self.tensor(body, 0)})")

    def use_module(self, body: _Body) -> None:
        rng = self.rng
        self.count += 1
        name, obj = f"C{self.name[1:]}_{self.count}", f"net{self.count}"
        fields: list[str] = []
        steps: list[str] = []
        parts = {
            "self.act = nn.ReLU()": "x = self.act(x)",
            "self.act = nn.Sequential(nn.Tanh(), nn.ReLU())": "x = self.act(x)",
            "self.norm = nn.BatchNorm1d(3)": "x = self.norm(x)",
            "self.norm = nn.BatchNorm1d(2, momentum=None)": "x = self.norm(x)",
            "self.norm = nn.LayerNorm(3)": "x = self.norm(x)",
            "self.drop = nn.Dropout(0.0)": "x = self.drop(x)",
            "self.noise = nn.Dropout(0.5)": "x = self.noise(x) * 0 + x",
            "self.w = nn.Parameter(torch.ones(3))": "x = x * self.w",
            'self.register_buffer("b", torch.tensor([1.0, 2.0, 3.0]))': "x = x + self.b",
            "self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh()])": "for layer in self.layers:\n            x = layer(x)",
            "self.k = 2": "x = x * self.k",
            "self.table = {'a': 1.5}": "x = x + self.table['a']",
            "self.shift = torch.ones(3)": "x = x - self.shift",
            "self.mode = 'add'": "if self.mode == 'add':\n            x = x + 1",
            "self.flat = nn.Flatten(0)": "x = self.flat(x)",
        }
        stateful = {
            "self.calls = 0": "self.calls += 1\n        x = x * self.calls",
            'self.register_buffer("avg", torch.zeros(3))': "self.avg = 0.9 * self.avg + 0.1 * x.mean(0)\n        x = x - self.avg",
            'self.register_buffer("total", torch.zeros(3))': "self.total += x.sum(0)\n        x = x + self.total",
            "self.seen = []": "self.seen.append(x)\n        x = x + len(self.seen)",
            'self.register_buffer("steps", torch.tensor(0))': "self.steps += 1\n        x = x * self.steps",
        }
        chosen = rng.sample(sorted(parts), rng.randint(1, 3))
        if rng.random() < (0.5 if self.hazard else 0.05):
            self.tags.add("module with state")
            parts |= stateful
            chosen.append(rng.choice(sorted(stateful)))
        for item in chosen:
            fields.append(f"        {item}")
            steps.append(f"        {parts[item]}")
        if rng.random() < 0.3:
            steps.append("        if self.training:\n            x = x + 1")
        result = rng.choice(("x", "x", "x * 2", "x, x.sum()"))
        extra = ""
        if rng.random() < 0.2:
            extra = "\n    def scale(self, x: Tensor):\n        return x * 3\n"
            steps.append("        x = self.scale(x)")
        definition = (
            f"class {name}(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            + "\n".join(dict.fromkeys(fields))
            + f"\n{extra}\n    def forward(self, x: Tensor):\n"
            + "\n".join(steps)
            + f"\n        return {result}"
        )
        execute(definition, body.env)
        self.helpers.append(definition)
        self.do(body, f"{obj} = {name}()")
        body.env.scope()[obj].requires_grad_(False)
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.3:
                self.do(body, rng.choice((f"{obj}.eval()", f"{obj}.train()", f"{obj} = {obj}.eval()")))
            first = self.target(body)
            target = f"{first}, {rng.choice([n for n in _NAMES if n != first])}" if "," in result else first
            call = f"{target} = {obj}({rng.choice(['p', 'x', self.tensor(body, 0), 'torch.ones(2, 3)'])})"
            if rng.random() < 0.15 and body.indent == 1:
                self.do(body, "for _ in range(2):", f"    {call}")
            else:
                self.do(body, call)

    def train(self, body: _Body) -> None:
        """A few steps of training, whose loss and weights are results."""
        rng = self.rng
        self.count += 1
        name, net, opt = f"T{self.name[1:]}_{self.count}", f"net{self.count}", f"opt{self.count}"
        parts = {
            "self.w = nn.Parameter(torch.ones(3))": "x = x * self.w",
            "self.v = nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))": "x = x + self.v",
            "self.s = nn.Parameter(torch.tensor(0.5))": "x = x * self.s",
            "self.act = nn.Tanh()": "x = self.act(x)",
            "self.fc = nn.Linear(3, 3)": "x = self.fc(x)",
            "self.layers = nn.Sequential(nn.Linear(3, 3, bias=False), nn.Sigmoid())": "x = self.layers(x)",
        }
        inits = {
            "self.fc": "nn.init.eye_(self.fc.weight)\n        nn.init.zeros_(self.fc.bias)",
            "self.layers": "nn.init.eye_(self.layers[0].weight)",
        }
        chosen = ["self.w = nn.Parameter(torch.ones(3))", *rng.sample(sorted(parts)[:-1], rng.randint(1, 3))]
        chosen = list(dict.fromkeys(chosen))
        fields = [*chosen, *(inits[item.partition(" ")[0]] for item in chosen if item.partition(" ")[0] in inits)]
        definition = (
            f"class {name}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        "
            + "\n        ".join(fields)
            + "\n\n    def forward(self, x: Tensor):\n        "
            + "\n        ".join(parts[item] for item in chosen)
            + "\n        return x"
        )
        execute(definition, body.env)
        self.helpers.append(definition)
        given = self.leaf(body, lambda value: value.dtype == torch.float32 and value.shape[-1:] == (3,))
        wanted = rng.choice((f"torch.zeros_like({given})", f"{given} * 0.5", "torch.ones(3)", given))
        loss = rng.choice(
            (
                f"F.mse_loss({net}({given}), {wanted})",
                f"(({net}({given}) - {wanted}) ** 2).mean()",
                f"{net}({given}).pow(2).sum()",
                f"F.smooth_l1_loss({net}({given}), {wanted}, reduction='sum')",
                f"F.cross_entropy({net}({given}).reshape(-1, 3), torch.zeros({given}.numel() // 3, dtype=torch.long))",
            )
        )
        how = rng.choice(
            ("SGD({}, lr=0.05)", "SGD({}, lr=0.02, momentum=0.9)", "Adam({}, lr=0.01)", "AdamW({}, lr=0.02)")
        )
        steps = [f"{opt}.zero_grad()", f"loss = {loss}", "loss.backward()", f"{opt}.step()"]
        if rng.random() < 0.3:
            steps.insert(3, f"nn.utils.clip_grad_norm_({net}.parameters(), 1.0)")
        if rng.random() < 0.3:
            steps.append("history.append(loss.item())")
        a, b = rng.sample(_NAMES, 2)
        lines = [f"{net} = {name}()", f"{opt} = torch.optim.{how.format(net + '.parameters()')}"]
        lines += ["history = []"] if "history" in steps[-1] else []
        lines += [f"for _ in range({rng.randint(1, 3)}):", *(f"    {step}" for step in steps)]
        lines += [f"{a} = {net}({given}).detach()", f"{b} = {rng.choice((f'{net}.w.detach()', 'loss.item()'))}"]
        with torch.enable_grad():
            self.do(body, *lines)

    def gradient(self, body: _Body) -> None:
        """The gradient of something for a tensor."""
        rng = self.rng
        self.count += 1
        leaf, a = f"leaf{self.count}", rng.choice(_NAMES)
        source = self.leaf(body, lambda value: value.dtype == torch.float32)
        term = rng.choice(("{} * 2", "torch.sin({})", "{}.pow(2)", "torch.tanh({} * 0.5)", "{} * {}.detach()"))
        lines = [f"{leaf} = {source}.detach().clone().requires_grad_(True)"]
        lines.append(f"loss = ({term.format(leaf, leaf)}).{rng.choice(('sum', 'mean'))}()")
        if rng.random() < 0.5:
            lines += [f"({a},) = torch.autograd.grad(loss, {leaf})"]
        else:
            lines += ["loss.backward()", f"{a} = {leaf}.grad"]
        with torch.enable_grad():
            self.do(body, *lines)

    def plain_class(self, body: _Body) -> None:
        """A class of the program's own, which keeps and changes tensors."""
        rng = self.rng
        self.count += 1
        name, obj = f"P{self.name[1:]}_{self.count}", f"box{self.count}"
        methods = {
            "push": "def push(self, y):\n        self.x = self.x + y\n        return self",
            "add": "def add(self, y, times=2):\n        self.seen.append(y)\n        return self.x * times + y",
            "total": "def total(self):\n        return self.x.sum() + len(self.seen)",
            "scaled": "@property\n    def scaled(self):\n        return self.x * self.scale",
            "__call__": "def __call__(self, y):\n        return self.x * 0.5 + y",
            "count": "def count(self):\n        self.calls += 1\n        return self.x * self.calls",
        }
        if self.hazard:
            methods["grow"] = "def grow(self, y):\n        self.x += y\n        return self.x"
            methods["reset"] = "def reset(self):\n        self.x.zero_()\n        self.x[0] = 1"
        chosen = rng.sample(sorted(methods), rng.randint(1, 3))
        note = rng.choice((": Tensor", ""))
        definition = (
            f"class {name}:\n    def __init__(self, x{note}, scale=2):\n        self.x = x\n        self.scale = scale\n"
            "        self.seen = []\n        self.calls = 0\n\n    "
            + "\n\n    ".join(methods[item].replace("y)", f"y{note})").replace("y,", f"y{note},") for item in chosen)
        )
        execute(definition, body.env)
        self.helpers.append(definition)
        self.do(body, f"{obj} = {name}({self.leaf(body)}{rng.choice(('', ', 3', ', scale=1.5'))})")
        uses = {
            "push": "{obj}.push({t})",
            "add": "{a} = {obj}.add({t})",
            "total": "{a} = {obj}.total()",
            "scaled": "{a} = {obj}.scaled",
            "__call__": "{a} = {obj}({t})",
            "count": "{a} = {obj}.count()",
            "grow": "{a} = {obj}.grow({t})",
            "reset": "{obj}.reset()",
        }
        for _ in range(rng.randint(1, 3)):
            line = uses[rng.choice(chosen)]
            self.do(body, line.format(obj=obj, a=self.target(body), t=self.leaf(body)))
        self.do(body, f"{self.target(body)} = {obj}.x")

    def global_value(self, body: _Body) -> None:
        """Something at the top of the file."""
        rng = self.rng
        self.count += 1
        name = f"G{self.name[1:]}_{self.count}"
        value, use = rng.choice(
            (
                ("torch.tensor([1.0, -2.0, 0.5])", "{g}"),
                ("torch.arange(3)", "{g}"),
                ("3", "torch.full((3,), {g})"),
                ('{"a": torch.ones(3), "b": 2}', '{g}["a"] * {g}["b"]'),
                ("[torch.ones(3), torch.zeros(2, 3)]", "{g}[1]"),
                ("(1.5, 2)", "torch.ones(3) * {g}[0]"),
                ("lambda q: q * 2", "{g}(torch.ones(3))"),
            )
        )
        definition = f"{name} = {value}"
        execute(definition, body.env)
        self.helpers.append(definition)
        self.do(body, f"{self.target(body)} = {self.tensor(body, 0)} {rng.choice('+*')} ({use.format(g=name)})")

    # Expressions.

    def names(self, body: _Body, kind: type) -> list[str]:
        return [name for name, value in body.env.items() if type(value) is kind and name[0] != "_"]

    def target(self, body: _Body) -> str:
        """A name to bind: a new one, or one that is rebound."""
        names = self.names(body, Tensor)
        return self.rng.choice(names) if names and self.rng.random() < 0.35 else self.rng.choice(_NAMES)

    def changeable(self, body: _Body) -> str:
        """A tensor that may be written to; outside of hazardous programs one that shares its memory with nothing."""
        names = self.names(body, Tensor)
        owners = body.env.owners()
        if not self.hazard or self.rng.random() < 0.4:
            names = [name for name in names if owners[_storage(body.env[name])] == 1]
        elif not body.mutable:
            names = [name for name in names if not _is_input(body, name)]
        if not names or (not self.hazard and self.rng.random() < 0.7):
            inputs = self.names(body, Tensor)
            if not inputs:
                raise Refused
            made = self.rng.choice(_NAMES)
            source = self.rng.choice(inputs)
            how = self.rng.choice(
                (
                    f"{source}.clone()",
                    f"{source} * 2",
                    f"{source} + 1",
                    f"torch.zeros_like({source})",
                    "torch.zeros(2, 3)",
                )
            )
            self.do(body, f"{made} = {how}")
            return made
        return self.rng.choice(names)

    def tensor(self, body: _Body, depth: int) -> str:
        if depth == 0 or self.rng.random() < 0.15:
            return self.leaf(body)
        for _ in range(8):
            family, text = self.rng.choices(_TENSORS, [_WEIGHTS.get(family, 1) for family, _ in _TENSORS])[0]
            try:
                text = self.expression(body, text, depth - 1)
                value = eval(text, body.env.scope())
            except (Refused, *_REFUSALS):
                continue
            if isinstance(value, Tensor) and _is_tame(value):
                if (family == "draws" or "torch.rand" in text) and self.quiet:
                    continue
                self.tags.add(family)
                return f"({text})" if depth == 1 and not re.fullmatch(r"[\w.]+(\(.*\))?", text) else text
        return self.leaf(body)

    def leaf(self, body: _Body, wanted: Callable[[Tensor], bool] = lambda value: True) -> str:
        names = [name for name in self.names(body, Tensor) if wanted(body.env[name])]
        if not names or self.rng.random() < 0.05:
            made = [
                text
                for text in (
                    "torch.ones(3)",
                    "torch.arange(3)",
                    "torch.zeros(2, 3)",
                    "torch.tensor([True, False, True])",
                )
                if wanted(eval(text, _GLOBALS))
            ]
            if made:
                return self.rng.choice(made)
        if not names:
            raise Refused
        return self.rng.choice(names)

    def number_text(self, body: _Body) -> str:
        names = [name for kind in (int, float) for name in self.names(body, kind)]
        if names and self.rng.random() < 0.3:
            return self.rng.choice(names)
        return self.checked(body, templates.NUMBERS, (int, float))

    def integer(self, body: _Body) -> str:
        names = self.names(body, int)
        if names and self.rng.random() < 0.5:
            return self.rng.choice(names)
        return self.checked(body, templates.INTEGERS, (int,))

    def condition(self, body: _Body) -> str:
        names = self.names(body, bool)
        if names and self.rng.random() < 0.3:
            return self.rng.choice(names)
        return self.checked(body, templates.CONDITIONS, (bool, Tensor))

    def checked(self, body: _Body, table: str, kinds: tuple[type, ...]) -> str:
        for _ in range(6):
            text = self.rng.choice(lines(table))
            try:
                text = self.expression(body, text, 0)
                value = eval(text, body.env.scope())
            except (Refused, *_REFUSALS):
                continue
            if (
                isinstance(value, kinds)
                and _is_tame(value)
                and not (Tensor in kinds and isinstance(value, Tensor) and value.numel() != 1)
            ):
                return text
        raise Refused

    def expression(self, body: _Body, template: str, depth: int) -> str:
        """The template with its holes filled."""

        def fill(match: re.Match[str]) -> str:
            match match[1]:
                case "A":
                    return self.tensor(body, depth)
                case "D":
                    return self.with_axes(body, depth)
                case "E":
                    return self.leaf(body, lambda value: value.is_floating_point() and value.dim() > 0)
                case "F":
                    return self.leaf(body, lambda value: value.is_floating_point())
                case "I":
                    return self.leaf(body, lambda value: value.dtype in (torch.int64, torch.int32))
                case "M":
                    return self.mask(body)
                case "L":
                    names = self.names(body, list) + self.names(body, tuple)
                    return self.rng.choice(names) if names else _refuse()
                case "s":
                    return (
                        self.number_text(body)
                        if self.rng.random() < 0.4
                        else self.rng.choice(("0.5", "1.5", "-1", "2", "0"))
                    )
                case "k":
                    return self.integer(body) if self.rng.random() < 0.6 else self.rng.choice("123")
                case "c":
                    return self.condition(body)
                case kind:
                    return self.rng.choice(templates.LITERALS[kind])

        return _HOLE.sub(fill, template)

    def with_axes(self, body: _Body, depth: int) -> str:
        """A tensor with one dimension or more: torch alone takes axis 0 of a tensor that has none."""
        for _ in range(3):
            text = self.tensor(body, depth)
            if eval(text, body.env.scope()).dim():
                return text
        return self.leaf(body, lambda value: value.dim() > 0)

    def mask(self, body: _Body) -> str:
        names = [name for name in self.names(body, Tensor) if body.env[name].dtype == torch.bool]
        if names and self.rng.random() < 0.5:
            return self.rng.choice(names)
        return f"({self.leaf(body)} {self.rng.choice(('>', '<', '>=', '=='))} {self.rng.choice(('0', '1', '0.5'))})"


# What variables hold.


class _Env(dict[str, Any]):
    """Variables of a function; `scope` is where code runs: they and what the program defines at its top."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.outer: dict[str, Any] = dict(_GLOBALS)

    def scope(self) -> dict[str, Any]:
        for name in [name for name in self.outer if name in _VARIABLES]:
            del self.outer[name]
        self.outer.update(self)
        return self.outer

    def shared(self) -> int:
        """How many places share their memory with others."""
        return sum(count - 1 for count in self.owners().values())

    def owners(self) -> dict[int, int]:
        """For each memory the number of places that hold it."""
        found: dict[int, int] = {}
        for value in self.values():
            for tensor in _tensors(value):
                found[_storage(tensor)] = found.get(_storage(tensor), 0) + 1
        return found


_VARIABLES = frozenset(
    [*_NAMES, *"x p q n s k m t i flag items table pair other rest count keep done text label drawn d o".split()]
)


def execute(text: str, env: _Env) -> None:
    """Run lines; variables are updated."""
    scope = env.scope()
    with _time_limit():
        exec(text, scope)
    for name in list(env):
        if name not in scope:
            del env[name]
    for name in scope:
        if name in _VARIABLES:
            value = scope[name]
            env[name] = value.detach() if isinstance(value, Tensor) and value.requires_grad else value


@contextmanager
def _time_limit() -> Iterator[None]:
    """Refuse what does not end, such as a loop over a list that it lengthens."""

    def stop(*_: object) -> None:
        raise Refused

    before = signal.signal(signal.SIGVTALRM, stop)  # its own time: what is written must not depend on who else computes
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.5, 0.2)  # again and again: what a callback raises gets lost
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def snapshot(env: _Env) -> dict[str, Any]:
    """Copies of all variables, which share memory as they do."""
    return copy.deepcopy(dict(env))


def restore(env: _Env, values: dict[str, Any]) -> None:
    """Go back; the copies stay good for another time."""
    env.clear()
    env.update(copy.deepcopy(values))


def _storage(value: Tensor) -> int:
    return value.untyped_storage()._cdata


def _is_input(body: _Body, name: str) -> bool:
    """Whether a variable shares memory with what the caller passed: that is kept under names with an underscore."""
    mine = _storage(body.env[name])
    return any(_storage(item) == mine for key, value in body.env.items() if key[0] == "_" for item in _tensors(value))


def _tensors(value: object) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _tensors(item)


def _repeats(value: Tensor) -> bool:
    """Whether an element lies at several places: what torch writes to such a tensor is a matter of luck."""
    return any(step == 0 and size > 1 for step, size in zip(value.stride(), value.shape, strict=True))


def _is_tame(value: object) -> bool:
    """Small, and far from what overflows."""
    if isinstance(value, Tensor):
        if value.numel() > 40 or value.dim() > 3:
            return False
        if value.dtype.is_complex or value.dtype in (torch.float16, torch.bfloat16):
            return False
        if value.numel() == 0:
            return False
        if value.dtype == torch.bool:
            return True
        return bool(torch.isfinite(value).all()) and float(value.detach().abs().max()) < 2000
    if isinstance(value, (list, tuple)):
        return len(value) < 12 and all(map(_is_tame, value))
    if isinstance(value, dict):
        return len(value) < 12 and all(map(_is_tame, value.values()))
    if isinstance(value, (int, float)):
        return math.isfinite(value) and abs(value) < 2000
    return True


def _is_result(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_result, value))
    if isinstance(value, dict):
        return all(map(_is_result, value.values()))
    return isinstance(value, (Tensor, int, float, str))


def _literal(rng: random.Random, shape: tuple[int, ...], kind: str) -> str:
    def number() -> Any:
        match kind:
            case "int":
                return rng.randint(-3, 5)
            case "bool":
                return rng.random() < 0.5
        return rng.randint(-24, 24) / 8

    def nested(sizes: tuple[int, ...]) -> Any:
        return [nested(sizes[1:]) for _ in range(sizes[0])] if sizes else number()

    return f"torch.tensor({nested(shape)}{', dtype=torch.float64' if kind == 'double' else ''})"


def _refuse() -> Any:
    raise Refused
