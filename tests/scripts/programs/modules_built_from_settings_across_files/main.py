# also: nnx, linen
"""Classifiers of parts that a function builds from settings, whichever registry it is given, or of a class named in them."""

import torch
from models import build_classifier


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5, p.numel()).reshape(p.shape) + 0.1 * i)


def run(cfg):
    net = build_classifier(cfg)
    fill(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.linspace(-1, 1, 12).reshape(4, 3)
    y = torch.tensor([0, 1, 0, 1])
    net.train()
    for _ in range(2):
        optimizer.zero_grad()
        loss = net.forward_train(x, y)
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.5f}")
    net.eval()
    with torch.no_grad():
        print(net(x)[0].tolist())


run(dict(type="ImageClassifier", backbone=dict(type="Conv", width=4), head=dict(type="LinearHead", n=2, width=4)))
run(dict(type="ImageClassifier", backbone=dict(type="tiny", width=4), head=dict(type="LinearHead", n=2, width=4)))
