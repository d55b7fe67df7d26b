# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


class Trainer:
    def __init__(self, kind, alpha):
        self.model = nn.Linear(3, 2)
        nn.init.constant_(self.model.weight, 0.1)
        nn.init.constant_(self.model.bias, 0.0)
        self.teacher = nn.Linear(3, 2)
        nn.init.constant_(self.teacher.weight, 0.3)
        nn.init.constant_(self.teacher.bias, 0.1)
        self.kind = kind
        self.alpha = alpha
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def criterion(self, out, y):
        """One of three."""
        if self.kind == "mse":
            return F.mse_loss(out, F.one_hot(y, 2).float())
        elif self.kind == "soft":
            # smoothed
            target = F.one_hot(y, 2) * (1 - self.alpha) + self.alpha / 2
            return -(target * F.log_softmax(out, dim=1)).sum(1).mean()
        else:
            return F.cross_entropy(out, y)

    def regularizer(self, x):
        if self.alpha == 0:
            return 0
        norm = sum(p.pow(2).sum() for p in self.model.parameters())
        if self.kind == "mse":
            return self.alpha * norm
        return 0.5 * self.alpha * norm

    def distill(self, out, x):
        if self.kind != "soft":
            return None
        with torch.no_grad():
            soft = self.teacher(x).softmax(dim=1)
        return F.kl_div(out.log_softmax(dim=1), soft, reduction="batchmean")

    def train(self, x, y):
        for step in range(3):
            out = self.model(x)
            loss = self.criterion(out, y)
            loss = loss + 0.1 * self.regularizer(x)
            extra = self.distill(out, x)
            if extra is not None:
                loss = loss + extra
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            print(self.kind, step, loss.item())


x = torch.arange(12.0).view(4, 3).sin()
y = torch.tensor([0, 1, 1, 1])
for kind in ("mse", "soft", "ce"):
    Trainer(kind, 0.2).train(x, y)
Trainer("ce", 0).train(x, y)
