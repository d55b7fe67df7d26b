"""Steps under a condition, in methods that share the work, and behind a helper that is handed the loss."""

import torch
import torch.nn as nn
import torch.nn.functional as F

X = torch.linspace(-1, 1, 24).view(8, 3)
Y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])
batches = [(X[i : i + 2], Y[i : i + 2]) for i in range(0, 8, 2)]


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


def show(m):
    print([round(float(v), 4) for p in m.parameters() for v in p.detach().flatten()])


def phases(model, criterion, optimizer, num_epochs):
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            else:
                model.eval()
            running, correct = 0.0, 0
            for x, y in batches:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    out = model(x)
                    _, preds = torch.max(out, 1)
                    loss = criterion(out, y)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running += loss.item() * x.size(0)
                correct += torch.sum(preds == y.data)
            print(phase, round(running, 4), int(correct))
    return model


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.05)
        self.weight = 0.5

    def compute_loss(self, batch):
        x, y = batch
        out = self.model(x)
        return F.cross_entropy(out, y) + self.weight * out.pow(2).mean()

    def train_epoch(self, data):
        total = 0.0
        for batch in data:
            self.optimizer.zero_grad()
            loss = self.compute_loss(batch)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(data)


def update(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


m = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))
fill(m)
optimizer = torch.optim.SGD(m.parameters(), lr=0.3, momentum=0.9)
m = phases(m, nn.CrossEntropyLoss(), optimizer, 2)
show(m)

net = nn.Linear(3, 2)
fill(net)
trainer = Trainer(net)
print(round(trainer.train_epoch(batches), 4), round(trainer.train_epoch(batches), 4))
show(trainer.model)

m3 = nn.Linear(3, 2)
fill(m3)
opt = torch.optim.Adam(m3.parameters(), lr=0.05)
for x, y in batches:
    loss = F.cross_entropy(m3(x), y)
    update(loss, opt)
    print(round(loss.item(), 4))
show(m3)
