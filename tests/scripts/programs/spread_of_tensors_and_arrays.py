# also: nnx linen
"""Deviations of what may be a tensor or an array of NumPy: of the one with Bessel's correction, of the other without."""

import numpy as np
import torch


class StandardScaler:
    def fit(self, data):
        self.mean = data.mean(0)
        self.std = data.std(0)

    def transform(self, data):
        mean = torch.from_numpy(self.mean).type_as(data).to(data.device) if torch.is_tensor(data) else self.mean
        std = torch.from_numpy(self.std).type_as(data).to(data.device) if torch.is_tensor(data) else self.std
        return (data - mean) / std


def normal(data):
    return (data - data.mean()) / data.std()


def spread(x):
    return x.var(0), x.std(axis=1), x.var(), x.std((0, 1))


a = (np.arange(12.0).reshape(4, 3) ** 2).astype(np.float32)
scaler = StandardScaler()
scaler.fit(a)
print(scaler.std.tolist())
for data in (a, torch.from_numpy(a)):
    print(np.asarray(scaler.transform(data)).ravel().tolist())
    print(np.asarray(normal(data)).ravel().tolist())
    for value in spread(data):
        print(np.asarray(value).tolist())
x = torch.from_numpy(a).requires_grad_()
normal(x).square().sum().backward()
(x.std(0).sum() + spread(x)[0].sum()).backward()
print(x.grad.tolist())
