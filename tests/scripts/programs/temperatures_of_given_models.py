# also: nnx, linen
"""A model that is given another one, and fits one parameter of its own by LBFGS, or both by SGD."""

import torch
from torch import nn, optim
from torch.nn import functional as F


class ModelWithTemperature(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.temperature = nn.Parameter(torch.ones(1) * 1.5)

    def forward(self, input):
        logits = self.model(input)
        return self.temperature_scale(logits)

    def temperature_scale(self, logits):
        temperature = self.temperature.unsqueeze(1).expand(logits.size(0), logits.size(1))
        return logits / temperature

    def set_temperature(self, valid_loader):
        nll_criterion = nn.CrossEntropyLoss()
        logits_list = []
        labels_list = []
        with torch.no_grad():
            for input, label in valid_loader:
                logits = self.model(input)
                logits_list.append(logits)
                labels_list.append(label)
            logits = torch.cat(logits_list)
            labels = torch.cat(labels_list)
        before = nll_criterion(logits, labels).item()
        print("Before temperature - NLL: %.3f" % before)
        optimizer = optim.LBFGS([self.temperature], lr=0.01, max_iter=50)

        def eval():
            optimizer.zero_grad()
            loss = nll_criterion(self.temperature_scale(logits), labels)
            loss.backward()
            return loss

        optimizer.step(eval)
        after = nll_criterion(self.temperature_scale(logits), labels).item()
        print("Optimal temperature: %.3f" % self.temperature.item())
        print("After temperature - NLL: %.3f" % after)
        return self


net = nn.Linear(4, 3)
with torch.no_grad():
    net.weight.copy_(torch.linspace(-2, 2, 12).view(3, 4))
    net.bias.zero_()
data = [(torch.linspace(-1, 1, 8).view(2, 4) * (i + 1), torch.tensor([i % 3, (i + 1) % 3])) for i in range(4)]
m = ModelWithTemperature(net)
m.set_temperature(data)
print(m.temperature.tolist())
print(m(data[0][0]).tolist())
print(net(data[0][0]).tolist())


class Tuned(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x):
        return self.model(x) * self.scale

    def tune(self, x, y):
        optimizer = optim.SGD(self.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            loss = F.cross_entropy(self(x), y)
            loss.backward()
            optimizer.step()
            print(loss.item())


other = nn.Linear(4, 3)
with torch.no_grad():
    other.weight.copy_(torch.linspace(-1, 2, 12).view(3, 4))
    other.bias.zero_()
tuned = Tuned(other)
tuned.tune(*data[1])
print(tuned(data[0][0]).tolist(), other(data[0][0]).tolist())
