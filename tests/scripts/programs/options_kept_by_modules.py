import argparse
import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--hidden", type=int, default=4)
parser.add_argument("--scale", type=float, default=0.5)


class Net(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.fc = nn.Linear(3, args.hidden)

    def forward(self, x):
        return self.fc(x).sum(1) * self.args.scale


args = parser.parse_args([])
net = Net(args)
nn.init.constant_(net.fc.weight, 0.1)
nn.init.zeros_(net.fc.bias)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = (net(torch.ones(2, 3)) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
