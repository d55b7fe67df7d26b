# also: nnx
import torch
from torch import nn, optim

xs = torch.sin(torch.arange(32.0)).reshape(8, 4)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 5)
        self.norm = nn.Linear(5, 5)
        self.fc = nn.Linear(5, 3)

    def forward(self, x):
        return self.fc(torch.relu(self.norm(torch.relu(self.body(x)))))


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * (0.3 + k)).reshape(p.shape) * 0.3)


def fit(model, optimizer):
    for _ in range(3):
        optimizer.zero_grad()
        loss = model(xs).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())
    print([p.sum().item() for p in model.parameters()])


thawed = Net()
thawed.requires_grad_(False)
thawed.fc = nn.Linear(5, 2)
fill(thawed)
thawed.body.requires_grad_(True)
optimizer = optim.SGD(thawed.fc.parameters(), lr=0.5)
fit(thawed, optimizer)

two = Net()
for p in two.parameters():
    p.requires_grad = False
two.fc = nn.Linear(5, 2)
two.norm = nn.Linear(5, 5)
fill(two)
optimizer = optim.SGD(two.fc.parameters(), lr=0.5)
fit(two, optimizer)
