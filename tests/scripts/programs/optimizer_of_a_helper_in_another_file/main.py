"""An optimizer that a function of another file makes, whose rate is read here and whose state is saved there."""

import tempfile
from types import SimpleNamespace

import torch
from torch import nn

from helpers import save_model, set_optimizer


def main():
    opt = SimpleNamespace(learning_rate=0.1)
    model = nn.Linear(2, 2)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
    optimizer = set_optimizer(opt, model)
    for epoch in range(3):
        loss = model(torch.ones(3, 2)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("lr", optimizer.param_groups[0]["lr"], loss.item())
    with tempfile.TemporaryDirectory() as folder:
        save_model(model, optimizer, f"{folder}/last.pth")


if __name__ == "__main__":
    main()
