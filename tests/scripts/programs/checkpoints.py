"""Checkpoints: models, dicts of several things, files that are open, prefixes, and what is missing."""

import argparse
import io
import os
import tempfile
from collections import OrderedDict

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)
        self.norm = nn.BatchNorm1d(3)
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        return self.head(self.norm(self.fc(x)))


def filled():
    net = Net()
    state = {name: torch.full_like(value, 0.5) for name, value in net.state_dict().items()}
    net.load_state_dict(state)
    net.eval()
    return net


def main():
    args = argparse.Namespace(lr=0.1, name="a", sizes=[1, 2])
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "model.pt")
    x = torch.ones(2, 2)
    net = filled()
    print(net(x).flatten().tolist())

    torch.save(net.state_dict(), path)
    other = Net()
    other.load_state_dict(torch.load(path))
    other.eval()
    print(other(x).flatten().tolist(), sorted(torch.load(path)))

    checkpoint = {
        "epoch": 3,
        "model": net.state_dict(),
        "best": 0.25,
        "args": args,
        "history": [1.5, 2.5],
        "seen": {1, 2},
    }
    torch.save(obj=checkpoint, f=path)
    loaded = torch.load(path, map_location="cpu", weights_only=False)
    print(
        loaded["epoch"],
        loaded["best"],
        loaded["args"].lr,
        loaded["args"].sizes,
        loaded["history"],
        sorted(loaded["seen"]),
    )
    another = Net()
    another.load_state_dict(loaded["model"], strict=True)
    another.eval()
    print(another(x).flatten().tolist())

    with open(path, "wb") as file:
        torch.save({"w": torch.arange(3), "n": np.float32(0.5), "config": vars(args)}, file)
    with open(path, "rb") as file:
        again = torch.load(file, "cpu", weights_only=False)
    print(again["w"].tolist(), float(again["n"]), again["config"]["name"])
    buffer = io.BytesIO()
    torch.save(net.state_dict(), buffer)
    buffer.seek(0)
    print(len(torch.load(buffer, map_location=lambda storage, loc: storage)))

    parallel = OrderedDict((f"module.{key}", value) for key, value in net.state_dict().items())
    cleaned = OrderedDict()
    for key, value in parallel.items():
        cleaned[key[7:] if key.startswith("module.") else key] = value
    last = Net()
    last.load_state_dict(cleaned)
    last.eval()
    print(last(x).flatten().tolist())
    partial = {key: value for key, value in net.state_dict().items() if not key.startswith("head")}
    last.load_state_dict(partial, strict=False)
    try:
        last.load_state_dict(partial)
    except RuntimeError:
        print("incomplete")


if __name__ == "__main__":
    main()
