# also: nnx
"""Models of which the whole or a part is cast: in place, as they are made, in functions, and copies of them."""

import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4, 2)
        self.scale = nn.Parameter(torch.ones(2))
        self.plain = torch.ones(2)
        self.register_buffer("mean", torch.full((3, 1, 1), 0.5))
        self.register_buffer("hidden", torch.ones(3, 1, 1), persistent=False)
        self.register_buffer("count", torch.tensor(3))

    def forward(self, x):
        x = (x - self.mean * self.hidden) / self.count
        x = torch.relu(self.bn(self.conv(x)))
        return self.fc(x.mean((2, 3))) * self.scale

    @property
    def dtype(self):
        return next(self.parameters()).dtype


class Tied(nn.Module):
    def __init__(self, half=False):
        super().__init__()
        self.emb = nn.Embedding(6, 4)
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        self.head = nn.Linear(4, 6, bias=False)
        self.head.weight = self.emb.weight
        self.register_buffer("steps", torch.zeros(1))
        if half:
            self.half()

    def forward(self, ids):
        h = self.emb(ids)
        for layer in self.layers:
            h = h + torch.tanh(layer(h))
        if self.training:
            self.steps += 1
        return self.head(h)


class Trainer:
    def __init__(self, model, dtype):
        self.dtype = dtype
        self.model = model.to(dtype)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = ((self.model(x.to(self.dtype)) - y.to(self.dtype)) ** 2).mean()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def export(self):
        self.model.float()
        return self.model


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.37 + i).reshape(p.shape) * 0.3)


def run(model, x, half=False):
    model.half() if half else model.float()
    im = x.half() if half else x.float()
    with torch.no_grad():
        return model(im).float()


def make(dtype):
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)).to(dtype)


def main():
    device = torch.device("cpu")
    net = Net().to(device)
    fill(net)
    x = torch.cos(torch.arange(2 * 3 * 4 * 4).float()).reshape(2, 3, 4, 4)
    print(round(net(x).sum().item(), 4))
    net.eval()
    out = run(net, x, True)
    print(net.dtype == torch.float16, net.count.dtype == torch.float16, net.mean.dtype == torch.float16)
    print(net.hidden.dtype == torch.float16, net.plain.dtype == torch.float32, round(out.sum().item(), 2))
    print(net.bn.running_mean.dtype == torch.float16, net.bn.num_batches_tracked.item())
    out = run(net, x)
    print(net.dtype == torch.float32, round(out.sum().item(), 2))
    saved = {"epoch": 3, "model": copy.deepcopy(net).half()}
    print(saved["model"].fc.weight.dtype == torch.float16, net.fc.weight.dtype == torch.float32)
    im, net = x.half(), net.half()
    print(net(im).dtype == torch.float16)
    net = net.float() if net.dtype == torch.float16 else net
    net.fc.to(torch.bfloat16)
    print(net.fc.bias.dtype == torch.bfloat16, net.conv.weight.dtype == torch.float32, net.dtype == torch.float32)
    net.fc = net.fc.float()
    net.to("cpu", torch.bfloat16)
    print(net.dtype == torch.bfloat16)
    net.to(x)
    print(net.dtype == torch.float32, round(net(x).sum().item(), 2))

    tied = Tied()
    fill(tied)
    ids = torch.tensor([[0, 1, 5]])
    tied(ids)
    tied.to(dtype=torch.bfloat16)
    print(tied(ids).dtype == torch.bfloat16, tied.steps.dtype == torch.bfloat16, tied.steps.item())
    tied = tied.to(device).float()
    print(len(list(tied.parameters())), round(tied(ids).sum().item(), 1))
    small = Tied(half=True)
    print(small.emb.weight.dtype == torch.float16, small.steps.dtype == torch.float16)

    made = make(torch.float16)
    fill(made)
    print(made(torch.ones(1, 3).half()).dtype == torch.float16, made[0].weight.dtype == torch.float16)

    wide = Tied().double().to(device)
    fill(wide)
    print(round(wide(ids).sum().item(), 4))

    trainer = Trainer(nn.Linear(2, 1), torch.bfloat16)
    fill(trainer.model)
    for _ in range(3):
        print(round(trainer.step(torch.tensor([[0.5, -1.0], [1.0, 2.0]]), torch.tensor([[1.0], [0.0]])), 1))
    final = trainer.export()
    print(final.weight.dtype == torch.float32, final(torch.ones(1, 2)).dtype == torch.float32)


main()
