# also: nnx, linen
import torch
import torch.nn as nn


class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


class B(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(3, n)
        self.drop = nn.Dropout(0.0)

    def forward(self, x):
        return self.drop(torch.tanh(self.fc(x)))


def load_model(model, value, device):
    if model == 'a':
        model = A()
    elif model == 'b':
        model = B(4)
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(value)
    model = model.to(device)
    model.eval()
    return model


def train(model, x, n):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(n):
        opt.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        opt.step()
    print("%.5f" % loss.item())


x = torch.linspace(-1, 1, 6).view(2, 3)
a = load_model('a', 0.1, 'cpu')
b = load_model('b', 0.2, 'cpu')
train(a, x, 3)
train(b, x, 3)
