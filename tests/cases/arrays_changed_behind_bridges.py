"""Arrays of NumPy and tensors with one memory, of which one is changed in place under a name of its own."""

import numpy as np
import torch
from torch.utils.data import Dataset


class Pictures(Dataset):
    def __init__(self, pictures):
        self.pictures = pictures

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, i):
        picture = torch.from_numpy(self.pictures[i]).float()
        picture.sub_(0.5)  # T2J303
        return picture


class Store:
    def __init__(self, data):
        self.data = torch.from_numpy(data)
        self.data.div_(2)  # T2J303


class Env:
    def __init__(self):
        self.state = np.zeros(2, dtype=np.float32)

    def step(self, action):
        self.state += action  # T2J303
        return self.state


def scaled(picture):
    picture = torch.from_numpy(picture)
    picture /= 255  # T2J303
    return picture


def halved(x):
    x = x.numpy()
    x *= 0.5  # T2J303
    return x.sum()


def centred(t):
    t.sub_(1)  # T2J303
    return t


def cleaned(x):
    part = x.numpy()[:, 1:]
    part[part < 2] = 0  # T2J303
    return torch.from_numpy(part)


def filled(a, flag):
    t = torch.from_numpy(a) if flag else torch.zeros(4)
    t[0] = 7  # T2J303
    return t


def rows(n):
    row, found = np.zeros(3, dtype=np.float32), []
    for i in range(n):
        row[:] = i  # T2J303
        found.append(torch.from_numpy(row))
    return found


def shifted(sample, mean):
    picture, label = sample["picture"], sample["label"]
    picture = torch.from_numpy(picture).permute(2, 0, 1)
    picture[0] -= mean  # T2J303
    return picture, label


a = np.arange(4, dtype=np.float32)
print(scaled(a).sum(), a.sum())
t = torch.arange(4.0)
print(halved(t), t.tolist())
print(centred(torch.from_numpy(a)).tolist(), a.tolist())
x = torch.arange(6.0).view(2, 3)
print(cleaned(x).tolist(), x.tolist())
print(filled(a, True).tolist(), a.tolist())
print([item.tolist() for item in rows(3)])
sample = {"picture": np.ones((2, 2, 3), dtype=np.float32), "label": 3}
print(shifted(sample, 0.5)[0].tolist(), sample["picture"].tolist())
store = Store(a)
print(store.data.tolist(), a.tolist())
env, trace = Env(), []
for i in range(3):
    s = torch.from_numpy(env.step(i))
    trace.append(s)
print([item.tolist() for item in trace])
y = a
a = torch.from_numpy(a)
a.add_(1)  # T2J303
print(a.tolist(), y.tolist())
named = {"a": np.ones(2, dtype=np.float32)}
tensors = {key: torch.from_numpy(value) for key, value in named.items()}
tensors["a"].mul_(3)  # T2J303
print(tensors["a"].tolist(), named["a"].tolist())


def told(points):
    points = torch.FloatTensor(points)
    points -= points.mean()  # T2J303
    return points


def seen(x):
    return np.asarray(x)


b = np.arange(3, dtype=np.float32)
print(told(b).tolist(), b.tolist())
c = np.zeros(2, dtype=np.float32)
u = torch.Tensor(c)
u += 1  # T2J303
print(u.tolist(), c.tolist())
v = torch.zeros(2)
w = np.asarray(v.detach())
v += 1  # T2J303
m = seen(v)
v.mul_(3)  # T2J303
print(w.tolist(), m.tolist(), v.tolist())
