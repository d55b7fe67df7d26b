"""Modes and devices that one line sets, of a model that behaves differently in them and of one that does not."""

import torch
import torch.nn as nn

device = torch.device("cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.fc(x))


def save(model, path):
    model.eval().cpu()
    torch.save(model.state_dict(), path)
    model.to(device).train()


model = Net()
nn.init.ones_(model.fc.weight)
nn.init.zeros_(model.fc.bias)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.ones(2, 3)
for i in range(3):
    model.train().to(device)
    loss = (model.fc(x) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    save(model, "model.pth")
    print(loss.item(), model.training)
model.cpu().eval()
print(model(x).detach())


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        nn.init.ones_(self.fc.weight)
        nn.init.zeros_(self.fc.bias)

    def forward(self, x):
        return self.fc(x)


def train(args, device):
    transformer = Plain().to(device)
    opt = torch.optim.SGD(transformer.parameters(), lr=0.1)
    x = torch.ones(2, 3)
    for i in range(3):
        loss = (transformer(x) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if args > 0:
            transformer.eval().cpu()
            torch.save(transformer.state_dict(), "model.pth")
            transformer.to(device).train()
        print(loss.item(), transformer.training)
    transformer.eval().cpu()
    torch.save(transformer.state_dict(), "model.pth")


train(1, torch.device("cpu"))
