import torch
from torch import nn


def init(model: nn.Module) -> None:
    for p in model.parameters():
        nn.init.zeros_(p)


def step(model, optimizer, x: torch.Tensor) -> float:
    optimizer.zero_grad()
    loss = model(x).sum()
    loss.backward()
    optimizer.step()
    return loss.item()


def fill(x: torch.Tensor) -> None:
    x[0] = 1.0


model = nn.Linear(2, 1)
init(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
y = torch.zeros(3, 2)
fill(y)
print(step(model, optimizer, y), step(model, optimizer, y))
