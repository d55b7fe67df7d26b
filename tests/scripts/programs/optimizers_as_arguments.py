import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(model):
    for p in model.parameters():
        nn.init.constant_(p, 0.1)
    return model


x = torch.linspace(-1, 1, 12).reshape(4, 3)
y = torch.linspace(0, 1, 4).unsqueeze(1)


class Trainer:
    def __init__(self, model, optimizer, criterion, clip=None):
        self.model, self.optimizer, self.criterion, self.clip = model, optimizer, criterion, clip
        self.steps = 0

    def fit(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        loss.backward()
        if self.clip is not None:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimizer.step()
        self.steps += 1
        return loss.item()


def fit(model, optimizer, steps):
    for _ in range(steps):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


model = filled(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1)))
trainer = Trainer(model, torch.optim.Adam(model.parameters(), lr=0.05), nn.MSELoss(), clip=0.5)
for _ in range(3):
    print(f"{trainer.fit(x, y):.5f}", trainer.steps)
plain = filled(nn.Linear(3, 1))
print(f"{fit(plain, torch.optim.SGD(plain.parameters(), lr=0.1, momentum=0.9), steps=3):.5f}")
print(f"{fit(plain, optimizer=torch.optim.RMSprop(plain.parameters()), steps=2):.5f}", plain.bias.detach())
