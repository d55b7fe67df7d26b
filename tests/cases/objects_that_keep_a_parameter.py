import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 6)
        self.fc2 = nn.Linear(6, 3)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


class Decay:
    def __init__(self, weight):
        self.weight = weight

    def value(self):
        return self.weight.pow(2).mean()


model = Net()
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.linspace(-0.8, 0.9, p.numel()).view_as(p))
opt = torch.optim.SGD(model.parameters(), lr=0.5)
decay = Decay(model.fc2.weight)  # T2J303
small = Decay([model.fc1.bias])  # T2J303
number = Decay(model.fc1.weight.detach().clone())
x = torch.sin(torch.arange(24.0)).view(6, 4)
y = torch.tensor([0, 1, 2, 0, 1, 2])
for step in range(4):
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, round(loss.item(), 5), decay.value().item(), number.value().item(), small.weight[0].sum().item())
