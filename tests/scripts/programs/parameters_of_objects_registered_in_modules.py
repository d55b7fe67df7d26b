# also: nnx
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        with torch.no_grad():
            self.fc.weight.fill_(0.3)
            self.fc.bias.fill_(0.1)

    def forward(self, x):
        return self.fc(x)


class Solver:
    def __init__(self, x):
        self.x = x
        self.scale = torch.tensor([2.0], requires_grad=True)
        self.scale = nn.Parameter(self.scale)
        self.net = Net()
        self.net.register_parameter('scale', self.scale)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def loss(self):
        return (self.scale * self.net(self.x) - 1).pow(2).mean()

    def train(self, n):
        for step in range(n):
            self.opt.zero_grad()
            loss = self.loss()
            loss.backward()
            self.opt.step()
            print("%.5f %.4f" % (loss.item(), self.scale.item()))


s = Solver(torch.linspace(-1, 1, 12).view(4, 3))
s.train(3)
print(s.scale.tolist(), [n for n, _ in s.net.named_parameters()])
