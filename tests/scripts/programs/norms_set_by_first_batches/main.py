# also: nnx
"""Norms take their first scales from the first batch that they are given, in another file."""

import argparse

import torch
from model import Flow

parser = argparse.ArgumentParser()
parser.add_argument("--depth", default=2, type=int)
parser.add_argument("--lr", default=0.05, type=float)


def train(args, model, optimizer, x):
    for step in range(4):
        if step == 0:
            with torch.no_grad():
                z, det = model(x + 0.1)
                continue
        else:
            z, det = model(x)
        loss = z.pow(2).mean() - 0.1 * det.mean()
        model.zero_grad()
        loss.backward()
        optimizer.param_groups[0]["lr"] = args.lr
        optimizer.step()
        print(loss.item())
        with torch.no_grad():
            print(model.reverse(z, rounds=2).sum().item())


if __name__ == "__main__":
    args = parser.parse_args([])
    net = Flow(3, args.depth)
    with torch.no_grad():
        net.fc.weight.copy_(torch.linspace(-0.5, 0.5, 9).view(3, 3))
        net.fc.bias.fill_(0.1)
    data = torch.linspace(-1, 1, 12).sin().view(4, 3) * 2
    train(args, net, torch.optim.Adam(net.parameters(), lr=args.lr), data)
    print(net.norms[1].loc.sum().item(), net.norms[0].initialized.item())
