# also: nnx, linen
# The mode of a model is set between its forward pass and `backward()`, or twice before anybody asks for it.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 6)
        self.bn = nn.BatchNorm1d(6)
        self.drop = nn.Dropout(0.5)
        self.out = nn.Linear(6, 1)

    def forward(self, x):
        return self.out(self.drop(torch.tanh(self.bn(self.fc(x)))))


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))


class Learner:
    def __init__(self):
        self.net, self.other = Net(), Net()
        fill(self.net)
        fill(self.other)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9)

    def learn(self, x, y):
        self.net.eval()
        self.other.eval()
        out = self.net(x)
        self.net.train()
        self.opt.zero_grad()
        loss = F.mse_loss(out, y + self.other(x).detach())
        loss.backward()
        self.opt.step()
        self.net.eval()
        after = self.net(x)
        self.net.train()
        return loss.item(), after.sum().item()

    def measure(self, x):
        self.net.drop.eval()
        return self.net(x).sum().item(), self.net.bn.running_mean.sum().item()


x, y = torch.linspace(-1, 1, 15).reshape(5, 3), torch.linspace(0, 1, 5).reshape(5, 1)
learner = Learner()
for _ in range(4):
    print(*learner.learn(x, y), learner.net.training, *learner.measure(x))
