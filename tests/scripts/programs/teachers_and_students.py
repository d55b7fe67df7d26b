"""One function trains a teacher, and then a student with the teacher beside it: which parameter the optimizer trains is told by the calls."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        nn.init.constant_(self.fc.bias, 0.1)
        self.fc.weight.data = torch.sin(torch.arange(12.0)).view(4, 3)

    def forward(self, x):
        return self.fc(x)


data = [(torch.cos(torch.arange(6.0) + i).view(2, 3), torch.tensor([0, i % 4])) for i in range(3)]


def run_epoch(model, optimizer=None, teacher=None):
    training = optimizer is not None
    model.train(training)
    total = 0.0
    for x, y in data:
        with torch.set_grad_enabled(training):
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            if teacher is not None:
                with torch.no_grad():
                    t = teacher(x)
                loss = loss + (logits - t).pow(2).mean()
        if training:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
    return total / len(data)


model = Net()
teacher = Net()
opt_t = torch.optim.SGD(teacher.parameters(), lr=0.1)
print(run_epoch(teacher, opt_t), run_epoch(teacher))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for e in range(2):
    print(run_epoch(model, opt, teacher), run_epoch(model))


def fit(net, other, opt_of_net, opt_of_other=None):
    for x, y in data:
        loss = F.cross_entropy(net(x) + other(x), y)
        opt_of_net.zero_grad()
        if opt_of_other is not None:
            opt_of_other.zero_grad()
        loss.backward()
        opt_of_net.step()
        if opt_of_other is not None:
            opt_of_other.step()
    return loss.item()


print(fit(teacher, model, opt_t), fit(model, teacher, opt_of_net=opt))
print(fit(teacher, model, opt_t, opt), fit(model, opt_of_net=opt, other=teacher))
