"""Sums up judged operators, and writes what is not whole in a form from which it can be mended."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

STATUSES = ("equal", "flagged", "wrong", "crashed", "limited", "skipped", "unspelled")


@dataclass(slots=True)
class Operator:
    """All answers about the variants (and types) of one operator."""

    name: str
    answers: list[dict[str, Any]]
    reason: str | None = None
    """Why JAX has no counterpart."""

    @property
    def outcomes(self) -> list[dict[str, Any]]:
        return [outcome for answer in self.answers for outcome in answer["outcomes"]]

    @property
    def faults(self) -> list[str]:
        """Answers that did not come: the process died or took too long."""
        return [answer["fault"] for answer in self.answers if "fault" in answer]

    def count(self, status: str) -> int:
        return sum(outcome["status"] == status for outcome in self.outcomes)

    def gradients(self, status: str) -> int:
        return sum(outcome["gradient"] == status for outcome in self.outcomes)

    @property
    def judged(self) -> bool:
        return bool(self.faults or any(self.count(status) for status in STATUSES[:5]))

    @property
    def whole_forward(self) -> bool:
        """But for accepted limits."""
        return self.judged and not self.faults and not any(map(self.count, ("flagged", "wrong", "crashed")))

    @property
    def limited(self) -> bool:
        return bool(self.count("limited"))

    @property
    def has_gradient(self) -> bool:
        return any(outcome["gradient"] for outcome in self.outcomes)

    @property
    def whole_gradient(self) -> bool:
        return self.whole_forward and not any(map(self.gradients, ("wrong", "crashed")))

    @property
    def failures(self) -> list[dict[str, Any]]:
        """Outcomes that are neither equal nor flagged, forward or in the gradient."""
        bad = ("wrong", "crashed")
        return [outcome for outcome in self.outcomes if outcome["status"] in bad or outcome["gradient"] in bad]


def table(operators: Sequence[Operator], excluded: int) -> str:
    """The figures of a run."""
    judged = [operator for operator in operators if operator.judged]
    ours = [operator for operator in judged if operator.reason is None]
    missing = [operator for operator in judged if operator.reason is not None]
    unflagged = [operator for operator in missing if _unflagged(operator)]
    differentiable = [operator for operator in ours if operator.has_gradient]
    forward = [operator for operator in ours if operator.whole_forward]
    both = [operator for operator in differentiable if operator.whole_gradient]
    sums = {status: sum(operator.count(status) for operator in judged) for status in STATUSES}
    grads = {status: sum(operator.gradients(status) for operator in judged) for status in ("equal", "wrong", "crashed")}
    kinds = Counter(outcome["kind"] for operator in judged for outcome in operator.outcomes)
    checked = sum(sums[status] for status in STATUSES[:5])
    crashes = [outcome for operator in judged for outcome in operator.outcomes if outcome["status"] == "crashed"]
    edges = Counter(_edge(outcome) for outcome in crashes)
    lines = [
        f"operators judged                     {len(judged):6}   (not public, left out: {excluded})",
        f"  with a counterpart in JAX          {len(ours):6}",
        f"  whole in the forward direction     {len(forward):6}   (but for accepted limits {_limited(forward)})",
        f"  that have a gradient               {len(differentiable):6}",
        f"  whole in forward and gradient      {len(both):6}   (but for accepted limits {_limited(both)})",
        f"  without counterpart, all flagged   {len(missing) - len(unflagged):6}   of {len(missing)}",
        f"programs compared                    {checked:6}   (random {kinds['random']}, uninitialised {kinds['uninitialised']})",
        f"  equal                              {sums['equal']:6}",
        f"  flagged                            {sums['flagged']:6}",
        f"  silently wrong                     {sums['wrong']:6}",
        f"  crashed, an accepted limit         {sums['limited']:6}",
        f"  crashed                            {sums['crashed']:6}   (tensors without dimensions {edges['0-d']}, empty ones {edges['empty']})",
        f"  (torch raises, too {sums['skipped']}; no text for the sample {sums['unspelled']})",
        f"gradients compared                   {sum(grads.values()):6}",
        f"  equal                              {grads['equal']:6}",
        f"  silently wrong                     {grads['wrong']:6}",
        f"  crashed                            {grads['crashed']:6}",
    ]
    faults = [(operator.name, fault) for operator in operators for fault in operator.faults]
    lines += [f"no answer for {name}: {fault}" for name, fault in faults]
    return "\n".join(lines)


def _limited(operators: Iterable[Operator]) -> int:
    return sum(operator.limited for operator in operators)


def unjudged(operators: Iterable[Operator]) -> str:
    """Operators of which no sample could be compared."""
    names = [operator.name for operator in operators if not operator.judged]
    return f"not judged, for want of samples: {', '.join(names)}" if names else ""


def not_whole(operators: Iterable[Operator]) -> Iterator[str]:
    """One line for each operator that is not whole, with its first reason."""
    for operator in operators:
        if operator.reason is not None and not _unflagged(operator):
            continue
        if not operator.judged or (operator.whole_gradient and operator.reason is None):
            continue
        counts = {status: operator.count(status) for status in STATUSES[:5]}
        counts |= {f"gradient {status}": operator.gradients(status) for status in ("wrong", "crashed")}
        text = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
        yield f"{operator.name}: {text or operator.faults[0]}; {_first_reason(operator)}"


def causes(operators: Sequence[Operator]) -> str:
    """Everything that is not whole, by cause and then by operator, with the first text that fails."""
    parts = ["== SILENTLY WRONG =="]
    parts += _sections(operators, lambda outcome: outcome["status"] == "wrong", "detail")
    parts.append("\n== CRASHED ==")
    parts += _sections(operators, lambda outcome: outcome["status"] == "crashed", "detail")
    parts.append("\n== GRADIENT SILENTLY WRONG ==")
    parts += _sections(operators, lambda outcome: outcome["gradient"] == "wrong", "gradient_detail")
    parts.append("\n== GRADIENT CRASHED ==")
    parts += _sections(operators, lambda outcome: outcome["gradient"] == "crashed", "gradient_detail")
    parts.append("\n== FLAGGED ==")
    parts += _flagged(operators)
    parts.append("\n== EQUAL, WITH A NOTE ==")
    notes = Counter(
        (operator.name, note.partition(":")[0])
        for operator in operators
        for outcome in operator.outcomes
        for note in outcome["notes"]
        if outcome["status"] == "equal" and not note.startswith("T2J")
    )
    parts += [f"{name}: {note} ({count})" for (name, note), count in notes.items()]
    parts.append("\n== NO TEXT FOR THE SAMPLE ==")
    reasons = Counter(
        (operator.name, outcome["detail"])
        for operator in operators
        for outcome in operator.outcomes
        if outcome["status"] == "unspelled"
    )
    parts += [f"{name}: {detail} ({count})" for (name, detail), count in reasons.items()]
    return "\n".join(parts)


def _sections(operators: Iterable[Operator], is_bad: Any, detail: str) -> Iterator[str]:
    for operator in operators:
        bad = [outcome for outcome in operator.outcomes if is_bad(outcome)]
        if not bad:
            continue
        yield f"\n-- {operator.name}: {len(bad)} of {len(operator.outcomes)} programs"
        groups: dict[Any, list[dict[str, Any]]] = defaultdict(list)
        for outcome in bad:
            groups[(outcome["aspect"], outcome[detail][:24])].append(outcome)
        for (aspect, _), group in list(groups.items())[:4]:
            first = group[0]
            forms = ", ".join(f"{form} {count}" for form, count in Counter(o["form"] for o in group).items())
            yield f"   {aspect} {first[detail]}   [{forms}]".replace("\n", " ")
            yield f"   with {'; '.join(first['shapes'])} (sample {first['sample']})"
            yield _indented(first["source"]) + "\n" + _indented(first["text"], "   > ")
            yield from (f"   note: {note}" for note in first["notes"])


def _flagged(operators: Iterable[Operator]) -> Iterator[str]:
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    first: dict[tuple[str, str], str] = {}
    for operator in operators:
        for outcome in operator.outcomes:
            if outcome["status"] == "flagged":
                groups[outcome["detail"]][operator.name] += 1
                first.setdefault((outcome["detail"], operator.name), outcome["source"])
    for detail, names in sorted(groups.items(), key=lambda item: (item[0].split()[0], -sum(item[1].values()), item[0])):
        where = ", ".join(f"{name} {count}" for name, count in names.items())
        name = next(iter(names))
        reason = first[detail, name].partition("\n")[2].strip().replace("\n    ", "; ")
        yield f"{detail}   [{where}]\n      {reason}"


def _edge(outcome: dict[str, Any]) -> str:
    """Whether a program is called with a tensor that has no dimensions, or one that has no entries."""
    shapes = [shape.rpartition(" ")[0] for shape in outcome["shapes"]]
    if "()" in shapes:
        return "0-d"
    return "empty" if any(re.search(r"\b0[,)]", shape) for shape in shapes) else ""


def _indented(text: str, prefix: str = "   | ") -> str:
    return "\n".join(prefix + line for line in text.splitlines())


def _unflagged(operator: Operator) -> bool:
    return bool(operator.faults or any(map(operator.count, ("equal", "wrong", "crashed"))))


def first_failure(operator: Operator) -> str:
    """Why an operator is neither equal nor flagged; empty if it is."""
    if not operator.failures:
        return operator.faults[0] if operator.faults else ""
    return _first_reason(operator)


def _first_reason(operator: Operator) -> str:
    for status in ("wrong", "crashed"):
        for outcome in operator.outcomes:
            if outcome["status"] == status:
                return f"{status}: {outcome['form']}: {outcome['aspect']} {outcome['detail']}".replace("  ", " ")
    for outcome in operator.outcomes:
        if outcome["gradient"] in ("wrong", "crashed"):
            return f"gradient {outcome['gradient']}: {outcome['form']}: {outcome['gradient_detail']}"
    for outcome in operator.outcomes:
        if outcome["status"] == "flagged":
            return f"flagged: {outcome['form']}: {outcome['detail']}"
    return "flagged nowhere though JAX has no counterpart" if operator.reason else ""
