"""Edits: what to put in the place of original nodes, and the one rebuild that applies them all.

An edit is a function `build(rewrite)` kept for one original node. It pulls the rewritten form of any original subtree
that it needs by calling `rewrite(subtree)`, so nested edits compose, subtrees may move, and what nobody touched is shared
with the original tree. Each original node is rewritten at most once.

    edits.replace(call, lambda rewrite: quote("jnp.sum({x})", x=rewrite(argument)))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

import libcst as cst

from torch2jax.records import dataclass
from torch2jax.syntax.quote import fit_instead, with_other_quotes
from torch2jax.syntax.walk import child_fields, is_node_type, with_fields

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
Build = Callable[["Rewriter"], cst.CSTNode]
BuildStatements = Callable[["Rewriter"], Sequence[cst.BaseStatement]]


def always(node: cst.CSTNode) -> Build:
    """An edit that puts a finished node."""
    return lambda rewrite: node


def always_statements(statements: Sequence[cst.BaseStatement]) -> BuildStatements:
    """An edit that puts finished statements."""
    return lambda rewrite: statements


@dataclass(slots=True)
class Edits:
    """The edits of one module, keyed by original node (identity).

    `replace` exchanges a node, `rewrite_statement` a statement for any number of statements; `before` and `after` add
    statements around one. A later `replace` of the same node wins only if the caller says so with `override`.
    """

    nodes: dict[cst.CSTNode, Build] = field(default_factory=dict)
    statements: dict[cst.CSTNode, BuildStatements] = field(default_factory=dict)
    preceding: dict[cst.CSTNode, list[BuildStatements]] = field(default_factory=dict)
    following: dict[cst.CSTNode, list[BuildStatements]] = field(default_factory=dict)
    prologues: dict[cst.CSTNode, list[BuildStatements]] = field(default_factory=dict)
    comments: dict[cst.CSTNode, list[str]] = field(default_factory=dict)
    dropped: dict[cst.CSTNode, None] = field(default_factory=dict)
    moved: dict[cst.CSTNode, BuildStatements] = field(default_factory=dict)
    anchored: dict[cst.CSTNode, list[BuildStatements]] = field(default_factory=dict)

    def move(self, statement: cst.CSTNode, build: BuildStatements = lambda rewrite: ()) -> None:
        """Take a statement out of its block, leaving what `build` gives; whoever wants it elsewhere pulls it there."""
        assert statement not in self.moved, "a statement moves once"
        self.moved[statement] = build

    def replace(self, node: cst.CSTNode, build: Build, *, override: bool = False) -> None:
        assert override or node not in self.nodes, f"two edits for one {type(node).__name__}"
        self.nodes[node] = build

    def drop(self, node: cst.CSTNode) -> None:
        """Leave out what may be absent, such as an annotation, or an argument of a call."""
        self.dropped[node] = None

    def rewrite_statement(self, statement: cst.CSTNode, build: BuildStatements) -> None:
        assert statement not in self.statements, "two edits for one statement"
        self.statements[statement] = build

    def remove(self, statement: cst.CSTNode) -> None:
        self.rewrite_statement(statement, lambda rewrite: ())

    def before(self, statement: cst.CSTNode, build: BuildStatements) -> None:
        """Statements in front of one, wherever it goes."""
        self.preceding.setdefault(statement, []).append(build)

    def after(self, statement: cst.CSTNode, build: BuildStatements) -> None:
        self.following.setdefault(statement, []).append(build)

    def before_place(self, statement: cst.CSTNode, build: BuildStatements) -> None:
        """Statements in front of the place of a statement that moves away."""
        self.anchored.setdefault(statement, []).append(build)

    def prologue(self, block: cst.BaseSuite, build: BuildStatements) -> None:
        """Statements at the top of a function's block, behind its docstring."""
        self.prologues.setdefault(block, []).append(build)

    def comment(self, statement: cst.CSTNode, text: str) -> None:
        """A comment line above a statement."""
        lines = self.comments.setdefault(statement, [])
        if text not in lines:
            lines.append(text)

    def touched(self) -> set[cst.CSTNode]:
        found: set[cst.CSTNode] = set()
        tables = (
            self.nodes,
            self.statements,
            self.preceding,
            self.following,
            self.prologues,
            self.comments,
            self.dropped,
            self.moved,
        )
        for table in tables:
            found.update(table)
        return found


def _returns(line: cst.BaseStatement) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[-1], cst.Return)


def _small(line: cst.BaseStatement) -> Sequence[cst.CSTNode]:
    return line.body if isinstance(line, cst.SimpleStatementLine) else (line,)


def _set_apart(
    prologue: list[cst.BaseStatement], above: Sequence[cst.BaseStatement], below: cst.BaseStatement
) -> list[cst.BaseStatement]:
    """Fields at the top of a class stand between blank lines, apart from its docstring and its first method."""
    if not isinstance(below, cst.FunctionDef) or not isinstance(prologue[0], cst.SimpleStatementLine):
        return prologue
    if not all(isinstance(small, cst.AnnAssign) for line in prologue for small in _small(line)):
        return prologue
    blank = cst.EmptyLine(indent=False)
    result = list(prologue)
    if above:
        result[0] = result[0].with_changes(leading_lines=[blank])
    return result


def _below_fields(statements: list[cst.BaseStatement], above: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """A blank line between new fields and the method below them."""
    first = statements[0] if statements else None
    last = above[-1]
    fields = isinstance(last, cst.SimpleStatementLine) and all(isinstance(item, cst.AnnAssign) for item in last.body)
    if not isinstance(first, cst.FunctionDef) or not fields or first.leading_lines:
        return statements
    return [first.with_changes(leading_lines=[cst.EmptyLine(indent=False)]), *statements[1:]]


def _is_apart(statement: cst.CSTNode) -> bool:
    return any(line.comment is None for line in getattr(statement, "leading_lines", ()))


def _apart(statements: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """The statements with a blank line above them."""
    if not statements or _is_apart(statements[0]) or not hasattr(statements[0], "leading_lines"):
        return statements
    first = statements[0].with_changes(leading_lines=[cst.EmptyLine(indent=False), *statements[0].leading_lines])
    return [first, *statements[1:]]


def _new_definitions_apart(statements: list[cst.BaseStatement], block: cst.IndentedBlock) -> list[cst.BaseStatement]:
    """A blank line above functions that are new in a block, or no longer its first statement; others keep their layout."""
    known = {item.name.value for item in block.body[1:] if isinstance(item, cst.FunctionDef)}
    return [
        statement.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
        if position
        and isinstance(statement, cst.FunctionDef)
        and not statement.leading_lines
        and statement.name.value not in known
        else statement
        for position, statement in enumerate(statements)
    ]


def is_docstring(statement: cst.CSTNode) -> bool:
    """Whether a statement is a bare string."""
    return (
        isinstance(statement, cst.SimpleStatementLine)
        and len(statement.body) == 1
        and isinstance(statement.body[0], cst.Expr)
        and isinstance(statement.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
    )


def core(statement: cst.CSTNode) -> cst.CSTNode:
    """What stays of a statement when its layout changes: the first statement of a line, the block of a compound statement."""
    if isinstance(statement, cst.SimpleStatementLine):
        return statement.body[0] if statement.body else statement
    body = getattr(statement, "body", statement)
    return body if isinstance(body, cst.CSTNode) else statement


def as_expression(node: cst.CSTNode) -> cst.BaseExpression:
    """A node that is known to be an expression."""
    assert isinstance(node, cst.BaseExpression)
    return node


class Rewriter:
    """Applies `edits` below original nodes; call it with a node to get the rewritten one."""

    def __init__(self, edits: Edits, parents: dict[cst.CSTNode, cst.CSTNode]) -> None:
        self._edits = edits
        self.rebuilt: dict[cst.CSTNode, cst.CSTNode] = {}  # what was rewritten below -> the node in its place
        self.sources: dict[cst.CSTNode, cst.CSTNode] = {}  # cores of new statements -> those of what they stand for
        self._dirty: set[cst.CSTNode] = set()
        for node in edits.touched():
            current: cst.CSTNode | None = node
            while current is not None and current not in self._dirty:
                self._dirty.add(current)
                current = parents.get(current)

    def __call__(self, node: cst.CSTNode) -> cst.CSTNode:
        """The rewritten form of an original expression or other single node."""
        build = self._edits.nodes.get(node)
        if build is not None:
            return build(self)
        return self.inside(node)

    def expression(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """As calling the rewriter, for expressions."""
        return as_expression(self(node))

    def inside(self, node: cst.CSTNode) -> cst.CSTNode:
        """Rewrite what is below `node`, passing over an edit of `node` itself."""
        if node not in self._dirty:
            return node
        changes: dict[str, object] = {}
        for name in child_fields(type(node)):
            value = getattr(node, name)
            kind: type[Any] = type(value)
            if is_node_type(kind):  # type: ignore[arg-type]
                if value in self._edits.dropped:
                    changes[name] = None
                elif value in self._dirty:
                    changes[name] = fit_instead(self(value), value, node, name)
            elif (kind is tuple or kind is list) and (
                not self._dirty.isdisjoint(value) or (name == "body" and node in self._edits.prologues)
            ):
                if isinstance(node, (cst.IndentedBlock, cst.Module)) and name == "body":
                    changes[name] = self.block(node)
                else:
                    changes[name] = self._kept(value)
        if not changes:
            return node
        new = with_fields(node, **changes)
        if isinstance(new, cst.FormattedString):
            new = with_other_quotes(new)
        self.rebuilt[node] = new
        return new

    def _kept(self, items: Sequence[object]) -> list[object]:
        """The rewritten elements of a row; the last one ends as that of the original does."""
        kept = [item for item in items if item not in self._edits.dropped]
        found = [self(item) if isinstance(item, cst.CSTNode) else item for item in kept]
        if kept and kept[-1] is not items[-1] and isinstance(found[-1], cst.Arg):
            found[-1] = with_fields(found[-1], comma=items[-1].comma)  # type: ignore[attr-defined]
        return found

    def stands_for(self, new: cst.CSTNode, old: cst.CSTNode) -> None:
        """Note that a statement does what an original one did, or what one that was made of that does."""
        self.sources.setdefault(core(new), self.sources.get(core(old), core(old)))

    def block(self, node: cst.IndentedBlock | cst.Module) -> Sequence[cst.BaseStatement]:
        """The rewritten statements of a block; an emptied block holds `pass`."""
        result: list[cst.BaseStatement] = []
        prologue = [statement for build in self._edits.prologues.get(node, ()) for statement in build(self)]
        apart = False  # what was removed stood apart from what is above it
        for position, statement in enumerate(node.body):
            if prologue and not (position == 0 and is_docstring(statement)):
                result.extend(_set_apart(prologue, result, statement))
                prologue = []
                result.extend(_below_fields(self._in_place(statement), result))
                continue
            own = self._in_place(statement)
            result.extend(_apart(own) if apart and result else own)
            apart = isinstance(node, cst.Module) and not own and (apart or _is_apart(statement))
        result.extend(prologue)
        if not result and isinstance(node, cst.IndentedBlock):
            result.append(cst.SimpleStatementLine([cst.Pass()]))
        return _new_definitions_apart(result, node) if isinstance(node, cst.IndentedBlock) else result

    def _in_place(self, statement: cst.BaseStatement) -> list[cst.BaseStatement]:
        return self._leftover(statement) if statement in self._edits.moved else self.statement(statement)

    def _leftover(self, statement: cst.BaseStatement) -> list[cst.BaseStatement]:
        """What a statement that moves away leaves in its place."""
        above = [node for build in self._edits.anchored.get(statement, ()) for node in build(self)]
        left = list(self._edits.moved[statement](self))
        for node in left:
            self.stands_for(node, statement)
        return [*above, *left]

    def statement(self, statement: cst.BaseStatement | cst.BaseSmallStatement) -> list[cst.BaseStatement]:
        """The statements that take the place of one original statement, with what was added around it."""
        result: list[cst.BaseStatement] = []
        for build in self._edits.preceding.get(statement, ()):
            result.extend(build(self))
        above = len(result)
        rewrite = self._edits.statements.get(statement)
        own = list(rewrite(self)) if rewrite is not None else [self(statement)]
        own = [node for node in own if node is not None]
        if rewrite is None and own and _is_idle(statement, own[0]):
            own = []
        for node in own:
            self.stands_for(node, statement)
        if rewrite is not None and len(own) == 1:
            own = [_with_comment_of(statement, own[0])]
        result.extend(own)  # type: ignore[arg-type]
        behind = [node for build in self._edits.following.get(statement, ()) for node in build(self)]
        result.extend(sorted(behind, key=_returns))  # which leaves what comes behind it
        laid_out = self._keep_layout(statement, result, above if own else 0)
        if rewrite is None and own and self.rebuilt.get(statement) is own[0]:
            self.rebuilt[statement] = laid_out[above]
        return laid_out

    def _keep_layout(
        self, statement: cst.CSTNode, result: list[cst.BaseStatement], position: int
    ) -> list[cst.BaseStatement]:
        """Comments above an original statement stay above whatever replaced it; notes stand above its own
        translation, at `position`.

        A definition put before a statement (an outlined function) brings its own blank lines and leaves the
        statement's layout alone; one of the module, set apart by two blank lines, stays apart from what is put above it.
        """
        notes = [
            cst.EmptyLine(indent=True, comment=cst.Comment(f"# {text}"))
            for text in self._edits.comments.get(statement, ())
        ]
        original = tuple(getattr(statement, "leading_lines", ()))
        if not result or (result[0] is statement and not notes):
            return result
        if isinstance(result[0], (cst.FunctionDef, cst.ClassDef)) and len(result) > 1 and original:
            return [*result[:-1], _with_notes(result[-1], notes)]
        blank = [line for line in original if line.comment is None]
        if position and isinstance(statement, (cst.FunctionDef, cst.ClassDef)) and len(blank) > 1:
            first = with_fields(result[0], leading_lines=blank)
            return [first, *result[1:position], _with_notes(result[position], notes), *result[position + 1 :]]
        if not original:
            bare = result
        else:
            bare = [
                with_fields(node, leading_lines=()) if tuple(getattr(node, "leading_lines", ())) == original else node
                for node in result
            ]
            own = tuple(getattr(bare[0], "leading_lines", ()))
            if hasattr(bare[0], "leading_lines"):
                bare[0] = with_fields(bare[0], leading_lines=(*original, *own))
        bare[position] = _with_notes(bare[position], notes)
        return bare


def _is_idle(old: cst.CSTNode, new: cst.CSTNode) -> bool:
    """Whether nothing is left of what a condition was for (`if cuda: model.cuda()`), and asking it does nothing."""
    if new is old or not isinstance(old, cst.If) or not isinstance(new, cst.If) or new.orelse is not None:
        return False
    return not _only_passes(old.body) and _only_passes(new.body) and _only_asks(new.test)


def _only_passes(body: cst.BaseSuite) -> bool:
    match body.body:
        case [cst.Pass()] | [cst.SimpleStatementLine(body=[cst.Pass()])]:
            return True
    return False


def _only_asks(test: cst.BaseExpression) -> bool:
    """Whether a test reads names, fields and constants only, or which device there is."""
    match test:
        case cst.Name() | cst.SimpleString() | cst.Integer() | cst.Float():
            return True
        case cst.Attribute(value=inner) | cst.UnaryOperation(expression=inner):
            return _only_asks(inner)
        case cst.BooleanOperation(left=left, right=right):
            return _only_asks(left) and _only_asks(right)
        case cst.Comparison(left=left, comparisons=others):
            return _only_asks(left) and all(_only_asks(item.comparator) for item in others)
        case cst.Call(
            func=cst.Attribute(value=cst.Name("jax"), attr=cst.Name("default_backend" | "device_count")), args=[]
        ):
            return True
    return False


def _with_comment_of(old: cst.CSTNode, new: cst.CSTNode) -> cst.CSTNode:
    """The one statement that takes the place of a line keeps the comment at the end of it."""
    if not isinstance(old, cst.SimpleStatementLine) or not isinstance(new, cst.SimpleStatementLine):
        return new
    if old.trailing_whitespace.comment is None or new.trailing_whitespace.comment is not None:
        return new
    return with_fields(new, trailing_whitespace=old.trailing_whitespace)


def _with_notes(statement: cst.BaseStatement, notes: Sequence[cst.EmptyLine]) -> cst.BaseStatement:
    if not notes or not hasattr(statement, "leading_lines"):
        return statement
    return statement.with_changes(leading_lines=(*statement.leading_lines, *notes))


def apply_edits(module: cst.Module, edits: Edits, parents: dict[cst.CSTNode, cst.CSTNode]) -> cst.Module:
    """Rebuild the module with all edits applied; subtrees without edits are shared."""
    rewritten = Rewriter(edits, parents)(module)
    assert isinstance(rewritten, cst.Module)
    return rewritten
