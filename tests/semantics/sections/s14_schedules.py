"""Gradient clipping, parameter groups, schedules."""

from tests.semantics.cases import Case, program
from tests.semantics.sections.s13_optimizers import trained

TITLE = "Gradient clipping, parameter groups, schedules"
_SGD = "SGD(model.parameters(), 0.05)"
_L = "torch.optim.lr_scheduler."


def _scheduled(statement: str, scheduler: str) -> Case:
    return program(statement, trained(_SGD, scheduler=_L + scheduler, steps=16), rtol=1e-3, gap="T2J200")


CASES: list[Case] = [
    program(
        "clip_grad_norm_(params, 0.5)",
        trained(_SGD, before="torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)"),
        rtol=1e-3,
    ),
    program(
        "clip_grad_value_(params, 0.2)",
        trained(_SGD, before="nn.utils.clip_grad_value_(model.parameters(), 0.2)"),
        rtol=1e-3,
    ),
    program(
        "clip_grad_norm_ before optimizer.step()",
        trained(
            "AdamW(model.parameters(), 0.05, weight_decay=0.1)",
            before="nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.1)",
        ),
        rtol=1e-3,
    ),
    program(
        "optimizer.param_groups with different lr",
        trained('SGD([{"params": [model.a], "lr": 0.1}, {"params": [model.b], "weight_decay": 0.1}], lr=0.01)'),
        rtol=1e-3,
        gap="T2J501",
    ),
    _scheduled("StepLR(opt, 5, 0.5)", "StepLR(optimizer, 5, 0.5)"),
    _scheduled("MultiStepLR(opt, [3, 8], 0.1)", "MultiStepLR(optimizer, [3, 8], 0.1)"),
    _scheduled("ExponentialLR(opt, 0.9)", "ExponentialLR(optimizer, 0.9)"),
    _scheduled("CosineAnnealingLR(opt, 10, eta_min=0.04)", "CosineAnnealingLR(optimizer, 10, eta_min=0.01)"),
    _scheduled("CosineAnnealingWarmRestarts(opt, 5, 2)", "CosineAnnealingWarmRestarts(optimizer, 5, 2)"),
    _scheduled("LinearLR(opt)", "LinearLR(optimizer)"),
    _scheduled("ConstantLR(opt)", "ConstantLR(optimizer)"),
    _scheduled("PolynomialLR(opt, 10, 2)", "PolynomialLR(optimizer, 10, 2)"),
    _scheduled("LambdaLR(opt, lambda n: 1 / (1 + n))", "LambdaLR(optimizer, lambda n: 1 / (1 + n))"),
    _scheduled(
        "OneCycleLR(opt, 1.0, total_steps=24)", "OneCycleLR(optimizer, 0.1, total_steps=24, cycle_momentum=False)"
    ),
    _scheduled(
        "SequentialLR(opt, [L.LinearLR(o, 0.1, 1, 5), L.CosineAnnealingLR(o, 10)], [5])",
        f"SequentialLR(optimizer, [{_L}LinearLR(optimizer, 0.1, 1, 5), {_L}CosineAnnealingLR(optimizer, 10)], [5])",
    ),
    _scheduled("CyclicLR(opt, 0.1, 0.4, 3)", "CyclicLR(optimizer, 0.01, 0.08, 3, cycle_momentum=False)"),
    program(
        "scheduler.step() after optimizer.step()",
        trained(_SGD, scheduler=_L + "StepLR(optimizer, 1, 0.5)", steps=1),
        rtol=1e-3,
        gap="T2J200",
    ),
    program(
        "scheduler.step() after optimizer.step()",
        trained(_SGD, scheduler=_L + "StepLR(optimizer, 1, 0.5)", steps=6).replace(
            "        scheduler.step()\n", "        if step % 2 == 1:\n            scheduler.step()\n"
        ),
        rtol=1e-3,
        gap="T2J200",
    ),
]
