# also: nnx, linen
"""Schedulers of groups of parameters whose rates are read, set one by one, or saved and taken up again."""

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


def build_optimizer(model, args):
    decay, no_decay = [], []
    for name, p in model.named_parameters():
        if p.ndim == 1 or name.endswith(".bias"):
            no_decay.append(p)
        else:
            decay.append(p)
    return torch.optim.AdamW(
        [{"params": decay, "weight_decay": args["wd"]}, {"params": no_decay, "weight_decay": 0.0}],
        lr=args["lr"],
        betas=(0.9, 0.95),
    )


def build_scheduler(opt, args):
    if args["sched"] == "cosine":
        return torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args["steps"], eta_min=1e-3)
    elif args["sched"] == "step":
        return torch.optim.lr_scheduler.StepLR(opt, step_size=3, gamma=0.1)
    elif args["sched"] == "multi":
        return torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[2, 4, 4], gamma=0.5)
    elif args["sched"] == "linear":
        return torch.optim.lr_scheduler.LinearLR(opt, 0.2, total_iters=4)
    elif args["sched"] == "poly":
        return torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=5, power=2.0)
    raise ValueError(args["sched"])


def by_factory(kind):
    args = {"wd": 0.1, "lr": 0.05, "sched": kind, "steps": 6}
    model = Net()
    fill(model)
    opt = build_optimizer(model, args)
    sched = build_scheduler(opt, args)
    for epoch in range(4):
        for x, y in batches(2):
            opt.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
            sched.step()
        print(epoch, loss.item(), opt.param_groups[0]["lr"], opt.param_groups[1]["lr"])


def lambdas():
    model = Net()
    fill(model)
    opt = torch.optim.AdamW(
        [
            {"params": model.backbone.parameters(), "lr": 0.01},
            {"params": [*model.norm.parameters(), *model.head.parameters()]},
        ],
        lr=0.1,
    )
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda=[lambda n: 0.9**n, lambda n: min(1.0, (n + 1) / 4)])
    for i, (x, y) in enumerate(batches(9)):
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        sched.step()
        print(i, loss.item(), sched.get_last_lr(), [g["betas"] for g in opt.param_groups])


def lambdas_resumed():
    for part in range(2):
        model = Net()
        fill(model)
        groups = [{"params": model.backbone.parameters(), "lr": 0.01}, {"params": model.head.parameters()}]
        optimizer = torch.optim.SGD(groups, lr=0.1, momentum=0.9)
        scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, [lambda n: 0.9**n, lambda n: 0.8**n])
        if part:
            saved = torch.load("parts.pt")
            model.load_state_dict(saved["model"])
            optimizer.load_state_dict(saved["optimizer"])
            scheduler.load_state_dict(saved["scheduler"])
        for x, y in batches(3):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            print(loss.item(), scheduler.get_last_lr())
        saved = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}
        torch.save(saved, "parts.pt")


def cosine():
    model = Net()
    fill(model)
    opt = torch.optim.AdamW(
        [
            {"params": model.backbone.parameters(), "lr": 1e-2},
            {"params": model.norm.parameters(), "weight_decay": 0.0},
            {"params": model.head.parameters()},
        ],
        lr=5e-2,
        weight_decay=0.1,
    )
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=6)
    for i, (x, y) in enumerate(batches(8)):
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        sched.step()
        lrs = [g["lr"] for g in opt.param_groups]
        print(i, loss.item(), ["%.5f" % v for v in lrs], ["%.5f" % v for v in sched.get_last_lr()])


def resumed():
    model = Net()
    fill(model)
    params = [
        {"params": [p for n, p in model.named_parameters() if "backbone" not in n]},
        {"params": [p for n, p in model.named_parameters() if "backbone" in n], "lr": 0.01},
    ]
    opt = torch.optim.AdamW(params, lr=0.05, weight_decay=0.1)
    sched = torch.optim.lr_scheduler.StepLR(opt, 2)
    for epoch in range(3):
        for x, y in batches(2):
            opt.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
        sched.step()
        print(loss.item(), sched.get_last_lr())
    torch.save(
        {
            "model": model.state_dict(),
            "optimizer": opt.state_dict(),
            "lr_scheduler": sched.state_dict(),
            "epoch": epoch,
        },
        "checkpoint.pt",
    )
    model2 = Net()
    params2 = [
        {"params": [p for n, p in model2.named_parameters() if "backbone" not in n]},
        {"params": [p for n, p in model2.named_parameters() if "backbone" in n], "lr": 0.01},
    ]
    opt2 = torch.optim.AdamW(params2, lr=0.05, weight_decay=0.1)
    sched2 = torch.optim.lr_scheduler.StepLR(opt2, 2)
    checkpoint = torch.load("checkpoint.pt")
    model2.load_state_dict(checkpoint["model"])
    opt2.load_state_dict(checkpoint["optimizer"])
    sched2.load_state_dict(checkpoint["lr_scheduler"])
    for epoch in range(checkpoint["epoch"] + 1, 6):
        for x, y in batches(2):
            opt2.zero_grad()
            loss = F.cross_entropy(model2(x), y)
            loss.backward()
            opt2.step()
        sched2.step()
        print(loss.item(), sched2.get_last_lr())


for kind in ("cosine", "step", "multi", "linear", "poly"):
    by_factory(kind)
lambdas()
cosine()
resumed()
lambdas_resumed()
