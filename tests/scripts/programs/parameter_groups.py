"""Optimizers over groups of parameters, picked by names, dims and modules, with options of their own that change later."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Conv2d(4, 4, 2))
        self.norm = nn.LayerNorm(4)
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return self.head(self.norm(self.base(x).mean((2, 3))))

    def configure_optimizers(self, weight_decay, learning_rate, betas):
        named = {name: p for name, p in self.named_parameters() if p.requires_grad}
        decayed = [p for name, p in named.items() if p.dim() >= 2]
        others = [p for name, p in named.items() if p.dim() < 2]
        groups = [
            {"params": decayed, "weight_decay": weight_decay},
            {"params": others, "weight_decay": 0.0},
        ]
        print(len(decayed), len(others), sum(p.numel() for p in others))
        options = dict(fused=True) if len(others) > 100 else dict()
        return torch.optim.AdamW(groups, lr=learning_rate, betas=betas, **options)


def split_by_class(model):
    decay, no_decay = set(), set()
    for module_name, module in model.named_modules():
        for name, p in module.named_parameters():
            full = "%s.%s" % (module_name, name) if module_name else name
            if name.endswith("bias"):
                no_decay.add(full)
            elif name.endswith("weight") and isinstance(module, (nn.Linear, nn.Conv2d)):
                decay.add(full)
            elif name.endswith("weight") and isinstance(module, nn.LayerNorm):
                no_decay.add(full)
    named = {name: p for name, p in model.named_parameters()}
    assert len(decay & no_decay) == 0
    assert len(named.keys() - (decay | no_decay)) == 0
    return [
        {"params": [named[name] for name in sorted(decay)], "weight_decay": 0.1},
        {"params": [named[name] for name in sorted(no_decay)], "weight_decay": 0.0, "lr_scale": 0.5},
    ]


def start():
    model = Net()
    values = {k: torch.sin(torch.arange(v.numel()) * 1.7 + 1).view(v.shape) for k, v in model.state_dict().items()}
    model.load_state_dict(values)
    return model


def show(model):
    for name, p in model.named_parameters():
        print(name, p.sum().item(), (p * p).sum().item())


def set_rate(optimizer, rate):
    for group in optimizer.param_groups:
        if "lr_scale" in group:
            group["lr"] = rate * group["lr_scale"]
        else:
            group["lr"] = rate


x = torch.arange(2 * 36).float().view(2, 1, 6, 6) / 36
y = torch.tensor([0, 2])


def by_dims():
    model = start()
    optimizer = model.configure_optimizers(0.1, 0.02, (0.9, 0.95))
    for step in range(4):
        lr = 0.02 / (1 + step)
        for param_group in optimizer.param_groups:
            param_group["lr"] = lr
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        print(loss.item(), optimizer.param_groups[0]["lr"])
    show(model)


def by_class():
    model = start()
    optimizer = torch.optim.SGD(split_by_class(model), lr=0.1, momentum=0.9)
    for step in range(4):
        set_rate(optimizer, 0.1 - 0.02 * step)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item(), [group["lr"] for group in optimizer.param_groups])
    show(model)


def by_part():
    model = start()
    groups = [{"params": model.base.parameters()}, {"params": model.head.parameters(), "lr": 0.1}]
    optimizer = torch.optim.Adam(groups, lr=1e-3)
    for step in range(4):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item())
    show(model)  # the norm is as it was


def by_identity():
    model = start()
    head = list(map(id, model.head.parameters()))
    kept = filter(lambda p: id(p) not in head, model.parameters())
    optimizer = torch.optim.SGD(kept, lr=0.1, momentum=0.9, weight_decay=0.1)
    for step in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    show(model)  # the head is as it was


def only_head():
    model = start()
    optimizer = torch.optim.Adagrad(model.head.parameters(), lr=0.1)
    for step in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    show(model)


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(3, 2)
        self.right = nn.Linear(3, 2)

    def forward(self, x, side):
        return self.left(x) if side else self.right(x)


def by_turns():
    model = Branches()
    values = {k: torch.sin(torch.arange(v.numel()) * 1.7 + 1).view(v.shape) for k, v in model.state_dict().items()}
    model.load_state_dict(values)
    weights = [p for p in model.parameters() if p.ndim > 1]
    biases = [p for p in model.parameters() if p.ndim == 1]
    optimizer = torch.optim.AdamW(
        [{"params": weights}, {"params": biases, "weight_decay": 0.0}], lr=0.1, weight_decay=0.5
    )
    inputs = torch.arange(6).float().view(2, 3)
    for step in range(4):
        loss = (model(inputs, step == 2) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
    show(model)


def with_schedule():
    model = start()
    groups = [{"params": model.base.parameters(), "lr": 0.05}, {"params": model.head.parameters()}]
    optimizer = torch.optim.SGD(groups, lr=0.2, momentum=0.9, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    for epoch in range(5):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(loss.item())
    show(model)


by_dims()
with_schedule()
by_turns()
by_class()
by_part()
by_identity()
only_head()
