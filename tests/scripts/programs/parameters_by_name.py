# also: nnx, linen
"""Averages of a model by way of dictionaries of its parameters and buffers, as training code of diffusion models keeps them."""

import copy
from collections import OrderedDict

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.b = nn.Linear(4, 1)

    def forward(self, x):
        return self.b(torch.tanh(self.norm(self.a(x))))


@torch.no_grad()
def update_ema(ema_model, model, decay=0.9999):
    ema_params = OrderedDict(ema_model.named_parameters())
    model_params = OrderedDict(model.named_parameters())
    assert ema_params.keys() == model_params.keys()
    for name, param in model_params.items():
        ema_params[name].mul_(decay).add_(param.data, alpha=1 - decay)
    ema_buffers = OrderedDict(ema_model.named_buffers())
    buffers = OrderedDict(model.named_buffers())
    for name, buffer in buffers.items():
        ema_buffers[name].copy_(buffer)


def accumulate(model1, model2, decay):
    own = {name: p for name, p in model1.named_parameters()}
    other = dict(model2.named_parameters())
    for k in own.keys():
        if "bias" not in k:
            own[k].data.mul_(decay).add_(other[k].data, alpha=1 - decay)


@torch.no_grad()
def pull(model1, model2):
    table = dict(model1.named_parameters())
    for k, v in model2.named_parameters():
        if not v.requires_grad:
            continue
        table[k].copy_(0.5 * table[k] + 0.5 * v)
    for k, v in table.items():
        v.clamp_(-0.5, 0.5 if k.startswith("b") else 0.4)


def push(model1, model2):
    for (n, q), (_, p) in zip(model1.named_parameters(), model2.named_parameters()):
        p.data.sub_(0.5 * (p.data - q.data))


def main():
    torch.manual_seed(0)
    model = Net()
    for i, p in enumerate(model.parameters()):
        nn.init.constant_(p, 0.1 * (i + 1))
    ema, slow, third = copy.deepcopy(model), copy.deepcopy(model), copy.deepcopy(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    update_ema(ema, model, decay=0)
    x = torch.arange(12.0).reshape(4, 3) / 7
    for step in range(4):
        loss = (model(x) - x[:, :1]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        update_ema(ema, model, decay=0.5)
        accumulate(slow, model, 0.9)
        pull(third, model)
        print(loss.item(), ema(x).sum().item())
    push(ema, third)
    for net in (model, ema, slow, third):
        print([round(p.sum().item(), 4) for p in net.parameters()])
    ema.eval()
    print(ema(x).sum().item(), ema.norm.running_mean.sum().item())


main()
