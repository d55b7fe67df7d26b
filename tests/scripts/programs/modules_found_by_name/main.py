# also: nnx, linen
"""A model in a file whose name is known when the program runs: each file that has what is asked of it is right."""

import importlib
import os
import sys
import torch
import torch.nn as nn
import argparse
BASE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(BASE, "models"))

def main(name):
    torch.manual_seed(0)
    model = importlib.import_module(name)
    net = model.get_model(2)
    criterion = model.get_loss()
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5, p.numel()).reshape(p.shape) + 0.1 * i)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.linspace(-1, 1, 12).reshape(4, 3)
    y = torch.tensor([0, 1, 0, 1])
    for _ in range(3):
        net = net.train()
        opt.zero_grad()
        pred, extra = net(x)
        loss = criterion(pred, y, extra)
        loss.backward()
        opt.step()
        print(loss.item())
    net.eval()
    print(net(x)[0].sum().item())
main("a")
main("b")
