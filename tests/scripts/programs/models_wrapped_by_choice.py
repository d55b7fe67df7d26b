# also: nnx, linen
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.bn = nn.BatchNorm1d(n)

    def forward(self, x):
        return self.bn(self.fc(x))


class Seg(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        return self.head(self.net(x))


def build(seg=False):
    model = Net()
    if seg:
        model = Seg(model)
    return model, nn.MSELoss()


def build_alone(seg=False):
    model = Net()
    if seg:
        return Seg(model)
    return model


def wrapped(model, seg=False):
    if seg:
        model = Seg(model)
    return model.to("cpu")


def filled(model):
    for p in model.parameters():
        nn.init.constant_(p, 0.5)
    return model


x = torch.arange(12.0).reshape(4, 3).sin()
for seg in (False, True):
    model, criterion = build(seg)
    filled(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = criterion(model(x), torch.zeros(4, 2 if seg else 3))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.5f}")
    print(sorted(model.state_dict()))
    alone = filled(build_alone(seg))
    print(f"{alone(x).sum().item():.4f}")
    alone.eval()
    print(f"{alone(x).sum().item():.4f}")
    given = filled(wrapped(Net(), seg))
    print(f"{given(x).sum().item():.4f}")
    given.eval()
    print(f"{given(x).sum().item():.4f}")
