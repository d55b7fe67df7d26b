"""A model with running statistics and its optimizer of parts, made as variables and given to fields at once, loaded where asked for."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        self.head = nn.Linear(4, 2)
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))

    def forward(self, x):
        return self.head(self.bn(self.body(x)))

    def slow(self):
        for m in [self.body]:
            for p in m.parameters():
                if p.requires_grad:
                    yield p

    def fast(self):
        for m in [self.head]:
            for p in m.parameters():
                if p.requires_grad:
                    yield p


class Trainer:
    def __init__(self, args):
        self.args = args
        model = Net()
        groups = [{"params": model.slow(), "lr": args["lr"]}, {"params": model.fast(), "lr": args["lr"] * 10}]
        optimizer = torch.optim.SGD(groups, momentum=0.9)
        self.model, self.optimizer = model, optimizer
        if args["cuda"]:
            self.model = torch.nn.DataParallel(self.model)
            self.model = self.model.cuda()
        if args["resume"] is not None:
            checkpoint = torch.load(args["resume"])
            if args["cuda"]:
                self.model.module.load_state_dict(checkpoint["state_dict"])
            else:
                self.model.load_state_dict(checkpoint["state_dict"])
            if not args["ft"]:
                self.optimizer.load_state_dict(checkpoint["optimizer"])

    def training(self, x, y):
        self.model.train()
        self.optimizer.zero_grad()
        loss = (self.model(x) - y).pow(2).mean()
        loss.backward()
        self.optimizer.step()
        return loss.item()


x = torch.linspace(-1, 1, 12).view(4, 3)
y = torch.linspace(0, 1, 8).view(4, 2)
trainer = Trainer({"lr": 0.01, "cuda": False, "resume": None, "ft": False})
for _ in range(3):
    print(trainer.training(x, y))
torch.save({"state_dict": trainer.model.state_dict(), "optimizer": trainer.optimizer.state_dict()}, "dl.pt")
again = Trainer({"lr": 0.01, "cuda": False, "resume": "dl.pt", "ft": False})
print(again.training(x, y))
