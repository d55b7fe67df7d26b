import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x, y):
        logits = self.fc(x)
        return logits, F.cross_entropy(logits, y)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def pairs(self, x, y):
        logits, self.loss = self.model(x, y)
        self.optimizer.zero_grad()
        self.loss.backward()
        self.optimizer.step()
        return self.loss.item()

    def both(self, x, y):
        self.logits, loss = self.model(x, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Runner:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.2)
        self.loss = None

    def one(self, x, y):
        self.loss = self.model(x, y)[1]
        self.optimizer.zero_grad()
        self.loss.backward()
        self.optimizer.step()

    def two(self, x, y):
        logits, loss = self.model(x, y)
        self.loss = loss + logits.pow(2).mean()
        self.optimizer.zero_grad()
        self.loss.backward()
        self.optimizer.step()

    def fit(self, x, y):
        for _ in range(2):
            self.one(x, y)
            print(self.loss.item())
            self.two(x, y)
            print(self.loss.item())


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 0.5, p.numel()).view(p.shape))
x = torch.linspace(-1, 1, 48).view(12, 4)
y = torch.arange(12) % 3
trainer = Trainer(net)
print(trainer.pairs(x, y))
trainer.both(x, y)
print(trainer.pairs(x, y))
print(trainer.loss.item(), trainer.logits.sum().item())
runner = Runner(Net())
with torch.no_grad():
    for p in runner.model.parameters():
        p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))
runner.fit(x, y)
