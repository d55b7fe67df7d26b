import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, base, out):
        super().__init__()
        self.base = base
        self.fc = nn.Linear(4, out)

    def forward(self, x):
        return self.fc(torch.tanh(self.base(x)))


def train(model, x):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = (model(x) ** 2).mean()
    loss.backward()
    opt.step()


x = torch.arange(6.0).reshape(2, 3)

base = nn.Linear(3, 4)
actor = Head(base, 1)
critic = Head(base, 2)  # T2J303
train(actor, x)
print(critic(x))

trunk = [nn.Linear(3, 4), nn.Linear(3, 4)]
first = Head(trunk[0], 1)
second = Head(trunk[1], 2)
third = Head(trunk[0].eval(), 3).to("cpu")  # T2J303
train(first, x)
print(second(x), third(x))


def build():
    encoder = nn.Linear(3, 4)
    one = Head(encoder, 1)
    return one, Head(encoder, 2)


one, two = build()  # T2J303
train(two, x)
print(one(x))

parts = {"a": nn.Linear(3, 4), "b": nn.Linear(3, 4)}
four = Head(parts["a"], 1)
five = Head(parts["b"], 1)
train(four, x)
train(five, x)
print(four(x), five(x))

six = Head(nn.Linear(3, 4), 1)
seven = Head(six.base, 2)  # T2J303
train(six, x)
print(seven(x))
