"""Methods that evaluate their own module and go back to the mode before."""

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 6)
        self.fc = nn.Linear(6, 5)
        self.bn = nn.BatchNorm1d(6)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(self.bn(self.emb(x).mean(1))))

    @torch.no_grad()
    def generate(self, x, n):
        was_training = self.training
        self.eval()
        for _ in range(n):
            logits = self(x[:, -3:])
            x = torch.cat([x, logits.argmax(-1, keepdim=True)], 1)
        if n > 3:
            x = x[:, 1:]
        self.train(was_training)
        return x

    def good(self, x):
        mode = self.training
        try:
            self.eval()
            return self(x)
        finally:
            self.train(mode)


def predict(model, x):
    was = model.training
    model.eval()
    y = model(x)
    model.train(was)
    return y


net = Net()
fill(net)
x = torch.tensor([[1, 2, 3], [4, 0, 1]])
print(net.generate(x, 4).tolist(), net.training, net.bn.running_mean)
net.eval()
print(net(x).sum().item(), net.generate(x, 2).tolist(), net.training)
net.train()
print(net.good(x).sum().item(), net.training)
print(predict(net, x).sum().item(), net.training)
