import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.total = torch.zeros(())
        self.begins = True

    def forward(self, x):
        if self.begins:
            self.total = torch.zeros(())
        x = self.fc(x)
        self.total += x.sum()
        return x


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(torch.ones(2)).sum() + net.total
    optimizer.zero_grad()  # T2J500
    loss.backward()  # T2J500
    optimizer.step()  # T2J500


class Keeping:
    def __init__(self):
        self.total = torch.zeros(2)
        self.kept = []

    def keep(self, x):
        self.kept.append(self.total)  # T2J303
        return x + 1

    def same(self, x):
        return self.total_of()

    def total_of(self):
        return self.total

    def run(self, x):
        self.total = torch.zeros(2)
        y = self.keep(x)
        self.total += y
        return self.kept

    def read(self, x):
        self.total = torch.zeros(2)
        y = self.same(x)
        self.total += x  # T2J301
        return y

    def again(self, x):
        y = self.same(x)
        self.total += x  # T2J301
        return y


keeping = Keeping()
print(keeping.run(torch.ones(2)))
print(keeping.read(torch.ones(2)))
print(keeping.again(torch.ones(2)))
