import torch
from torch import nn


def start(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        return self.fc(x)


def make_step(model, lr):
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)

    def step(x, y):
        loss = ((model(x) - y) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        return loss

    return step


torch.manual_seed(0)
x = torch.linspace(-1, 1, 24).reshape(8, 3)
y = x.sum(1, keepdim=True)
first, second = Net(), Net()
start(first)
start(second)
step_a = make_step(first, 0.1)
step_b = make_step(second, 0.01)
for i in range(6):
    la = step_a(x, y)
    lb = step_b(x, -y)
    if i % 2 == 0:
        print(i, la.item(), lb.item(), first.fc.weight.sum().item())
print(first(x).sum().item(), second(x).sum().item())
