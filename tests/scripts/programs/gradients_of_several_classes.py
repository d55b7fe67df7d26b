# also: nnx, linen
"""Models of several classes, made one behind the other: each has gradients of its own."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class A(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.fc = nn.Linear(3, width)

    def forward(self, x):
        return self.fc(x)


class B(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.fc = nn.Linear(3, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.fc(x))


def without_dropout(model):
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return model


MODELS = {"a": lambda: A(5), "b": lambda: B()}


def main():
    labels = torch.tensor([0, 1])
    saved = {}
    for name, build in MODELS.items():
        model = build()
        saved[name] = {k: torch.full_like(v, 0.3) for k, v in model.state_dict().items()}
    for name, build in MODELS.items():
        model = without_dropout(build())
        model.load_state_dict(saved[name])
        x = torch.ones(2, 3)
        loss = F.cross_entropy(model(x), labels)
        loss.backward()
        total = torch.sqrt(sum(p.grad.pow(2).sum() for p in model.parameters() if p.grad is not None))
        print(name, loss.item(), total.item())


main()
