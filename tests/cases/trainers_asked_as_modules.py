import torch
from torch import nn


class Saved(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(2, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def score(self, x):
        return self.net(x).pow(2).mean()

    def update(self, x):
        loss = self.score(x)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Held(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(2, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def score(self, x):
        return self.net(x).pow(2).mean()

    def update(self, x):
        loss = self.score(x)
        self.optimizer.zero_grad()  # T2J500
        loss.backward()  # T2J500
        self.optimizer.step()  # T2J500


class Plain(nn.Module):
    def __init__(self, report):
        super().__init__()
        self.net = nn.Linear(2, 1)
        self.report = report
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def update(self, x):
        self.train()
        loss = self.net(x).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.eval()


saved = Saved()
saved.update(torch.ones(3, 2))
torch.save(saved.state_dict(), "saved.pt")
held = [Held()]
held[0].update(torch.ones(3, 2))
both = nn.ModuleList(held)
plain = Plain(None).to("cpu")
plain.update(torch.ones(3, 2))
