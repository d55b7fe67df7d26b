# also: nnx
"""Functions that compute a loss and are given the optimizer, whose gradients they empty (adversarial training)."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.norm = nn.BatchNorm1d(8)
        self.last = nn.Linear(8, 3)

    def forward(self, x):
        return self.last(torch.relu(self.norm(self.first(x))))


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * (k + 1)).view(p.shape) * 0.3)


def robust_loss(model, x, y, optimizer, step_size=0.03, epsilon=0.1, steps=3, beta=1.0):
    apart = nn.KLDivLoss(reduction="sum")
    model.eval()
    adversarial = x.detach() + 0.001 * torch.cos(x * 20).detach()
    for _ in range(steps):
        adversarial.requires_grad_()
        with torch.enable_grad():
            loss = apart(F.log_softmax(model(adversarial), dim=1), F.softmax(model(x), dim=1))
        grad = torch.autograd.grad(loss, [adversarial])[0]
        adversarial = adversarial.detach() + step_size * torch.sign(grad.detach())
        adversarial = torch.min(torch.max(adversarial, x - epsilon), x + epsilon)
    model.train()
    adversarial = adversarial.detach()
    optimizer.zero_grad()
    natural = F.cross_entropy(model(x), y)
    return natural + beta / len(x) * apart(F.log_softmax(model(adversarial), dim=1), F.softmax(model(x), dim=1))


def emptied_loss(model, x, y, optimizer):
    optimizer.zero_grad()
    return F.cross_entropy(model(x), y)


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = robust_loss(model=model, x=x, y=y, optimizer=optimizer, beta=2.0)
        loss.backward()
        optimizer.step()
        print(loss.item())


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = emptied_loss(self.model, x, y, self.optimizer)
            loss.backward()
            self.optimizer.step()
            print(loss.item())


net = Net()
fill(net)
batches = list(zip(torch.sin(torch.arange(24.0)).view(2, 3, 4), torch.tensor([[0, 1, 2], [2, 1, 0]])))
sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5)
for _ in range(2):
    train(net, batches, sgd)
other = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
fill(other)
trainer = Trainer(other)
for _ in range(2):
    trainer.fit(batches)
