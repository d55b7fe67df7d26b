"""Optimizers: ten steps on a small problem that is not convex."""

from tests.semantics.cases import Case, program

TITLE = "Optimizers"


def trained(make: str, *, before: str = "", after: str = "", scheduler: str = "", steps: int = 10) -> str:
    """A program that trains two parameters and returns them; `make` builds the optimizer of `model`."""
    lines = [
        "model = Model()",
        f"optimizer = torch.optim.{make}",
        *([f"scheduler = {scheduler}"] if scheduler else []),
        "x = torch.tensor([[1.0, 2.0], [0.5, -0.25]])",
        f"for step in range({steps}):",
        "    optimizer.zero_grad()",
        "    loss = model(x)",
        "    loss.backward()",
        *([f"    {before}"] if before else []),
        "    optimizer.step()",
        *(["    scheduler.step()"] if scheduler else []),
        *([after] if after else []),
        "return model.a, model.b",
    ]
    body = "\n".join(f"    {line}" for line in lines)
    return f"""

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.tensor([0.5, -1.0]))
        self.b = nn.Parameter(torch.tensor([[1.5], [0.3]]))

    def forward(self, x):
        return (torch.sin(self.a * x) @ self.b).sum() + (self.a**4).sum() + 0.5 * (self.b**2).sum()


def call():
{body}
"""


_STATEMENTS = [
    ("SGD(params, 0.05, momentum=0.9, weight_decay=0.1)", ""),
    ("SGD(params, 0.05, momentum=0.9)", ""),
    ("SGD(params, 0.05, momentum=0.9, dampening=0.5)", ""),
    ("SGD(params, 0.05, momentum=0.9, nesterov=True)", ""),
    ("SGD(params, 0.05, maximize=True)", "SGD(params, 0.01, maximize=True)"),
    ("Adam(params, 0.05, eps=1e-2)", ""),
    ("Adam(params, 0.05, weight_decay=0.1)", ""),
    ("Adam(params, 0.5, betas=(0.5, 0.6), amsgrad=True)", "Adam(params, 0.1, betas=(0.5, 0.6), amsgrad=True)"),
    ("AdamW(params, 0.05)", ""),
    ("RMSprop(params, 0.05)", ""),
    ("RMSprop(params, 0.05, eps=1e-2)", ""),
    ("RMSprop(params, 0.01, momentum=0.9)", ""),
    ("RMSprop(params, 0.01, centered=True, eps=1e-3)", ""),
    ("Adagrad(params, 0.5)", ""),
    ("Adagrad(params, 0.5, lr_decay=0.1)", ""),
    ("Adadelta(params)", ""),
    ("Adamax(params, 0.05, weight_decay=0.1)", ""),
    ("NAdam(params, 0.05)", ""),
    ("RAdam(params, 0.05, weight_decay=0.1)", ""),
    ("Rprop(params, 0.05)", ""),
]

CASES: list[Case] = [
    program(statement, trained((make or statement).replace("params", "model.parameters()")), rtol=1e-3)
    for statement, make in _STATEMENTS
]
