"""Modes that functions of other files leave a model in, where it is used afterwards."""

import torch
from engine import evaluate, score
from models import Net


def run(model, x):
    print(model(x).sum().item())
    value = evaluate(model, x)
    print(value, model(x).sum().item())
    value = score(model, x)
    print(value, model(x).sum().item())
    evaluate(model, x)
    return value


model = Net()
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.arange(p.numel()).view(p.shape) * 0.1 + 0.1)
x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
print(run(model, x))
print(model(x).sum().item())
