# also: nnx, linen
"""Tensors of one element, with axes, stand where Python takes a number."""
import math

import numpy as np
import torch
from torch import nn

words = ["a", "b", "c", "d"]
names = ("x", "y", "z", "w")
text = "abcdef"


class Net(nn.Module):
    def forward(self, x):
        return x * 2


net = Net()
out = net(torch.arange(8.0).view(2, 1, 4).cos())
predict = out.data.max(2, keepdim=True)[1]
print([words[i] for i in predict])
top = out.topk(1)[1]
print(names[top[0]], text[top[1]])
one = torch.tensor([2])
print(words[one], text[one], list(range(one)), [0] * one, "ab" * one)
print(int(one), float(one), bool(one), "%d" % one, "%.2f" % one, math.sqrt(one))
for i in predict:
    print(words[i], words[i:], words[-i - 1])
    words[i] = "q"
print(words)


def pick(i):
    return words[i], math.log(i + 1), round(float(i), 1)


print(pick(torch.tensor([[1]])))
prob = torch.tensor([[0.7]])
if prob > 0.5:
    print("yes", prob.item(), int(prob), max(prob, 0.1).item())
idx = torch.multinomial(torch.tensor([0.0, 1.0]), 1)
print(words[idx], idx.item())
print("{:d}".format(one.item()), complex(one))
arr = np.arange(6).reshape(3, 2)
print(np.zeros(one).tolist(), words.pop(one), words.index("b"))
