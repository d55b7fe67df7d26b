"""Classes of tensors of one type: made of lengths or data, chosen by a flag, and used as dtypes."""

import numpy as np
import torch

use_cuda = torch.cuda.is_available()
FloatTensor = torch.cuda.FloatTensor if use_cuda else torch.FloatTensor
LongTensor = torch.cuda.LongTensor if use_cuda else torch.LongTensor
dtype = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor


def observed(state):
    return torch.FloatTensor(state).unsqueeze(0)


def blank(size):
    return torch.Tensor(size).fill_(2.0)


states = np.arange(6, dtype=np.float64).reshape(2, 3)
print(observed(states).tolist(), observed([1, 2]).tolist(), observed(states[0]).shape)
print(FloatTensor(states).tolist(), list(FloatTensor(2, 3).shape), (LongTensor([1, 2]) + 1).tolist())
for n in [2, 3]:
    print(blank(n).tolist())
x = torch.arange(4).type(torch.FloatTensor) / 3
print(x.tolist(), x.type("torch.LongTensor").tolist(), x.type(dtype).tolist(), torch.Tensor(states[:, 0]).tolist())
print(torch.zeros(2).type(dtype).tolist(), torch.Tensor(x).tolist(), isinstance(x, torch.Tensor))
