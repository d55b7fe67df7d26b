# also: nnx, linen
"""Groups of parameters that optimizers are given right behind the lines that make them."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.37 + k).reshape(p.shape) * 0.4)


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.backbone = nn.Linear(4, width)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.norm(self.backbone(x))))


def batches(n=6):
    for i in range(n):
        x = torch.cos(torch.arange(20, dtype=torch.float32) * 0.3 + i).reshape(5, 4)
        y = torch.arange(5) % 3
        yield x, y


def smart_optimizer(model, name="Adam", lr=0.01, momentum=0.9, decay=0.1):
    g = [], [], []
    for v in model.modules():
        if hasattr(v, "bias") and isinstance(v.bias, nn.Parameter):
            g[2].append(v.bias)
        if isinstance(v, nn.LayerNorm):
            g[1].append(v.weight)
        elif hasattr(v, "weight") and isinstance(v.weight, nn.Parameter):
            g[0].append(v.weight)
    if name == "Adam":
        optimizer = torch.optim.Adam(g[2], lr=lr, betas=(momentum, 0.999))
    elif name == "SGD":
        optimizer = torch.optim.SGD(g[2], lr=lr, momentum=momentum, nesterov=True)
    else:
        raise NotImplementedError(f"Optimizer {name} not implemented.")
    optimizer.add_param_group({"params": g[0], "weight_decay": decay})
    optimizer.add_param_group({"params": g[1], "weight_decay": 0.0})
    return optimizer


def by_kind(name):
    model = Net()
    fill(model)
    opt = smart_optimizer(model, name)
    for i, (x, y) in enumerate(batches(5)):
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        print(i, loss.item(), len(opt.param_groups))


def chosen(adam):
    model = Net()
    fill(model)
    biases, others, norms = [], [], []
    for n, p in model.named_parameters():
        if n.endswith("bias"):
            biases.append(p)
        elif "norm" in n:
            norms.append(p)
        else:
            others.append(p)
    if adam:
        opt = torch.optim.Adam(biases, lr=0.02, betas=(0.8, 0.999))
    else:
        opt = torch.optim.SGD(biases, lr=0.1, momentum=0.9, nesterov=True)
    opt.add_param_group({"params": others, "weight_decay": 0.1})
    opt.add_param_group({"params": norms})
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda=lambda n: 1 - 0.1 * n)
    for i, (x, y) in enumerate(batches(5)):
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        sched.step()
        print(i, loss.item(), len(opt.param_groups), opt.param_groups[1]["lr"])


def straight():
    model = Net()
    fill(model)
    opt = torch.optim.SGD(model.head.parameters(), lr=0.1, momentum=0.9)
    opt.add_param_group({"params": model.backbone.parameters(), "lr": 0.01})
    opt.add_param_group({"params": model.norm.parameters()})
    for i, (x, y) in enumerate(batches(5)):
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        print(i, loss.item(), len(opt.param_groups))


by_kind("SGD")
by_kind("Adam")
chosen(True)
chosen(False)
straight()
