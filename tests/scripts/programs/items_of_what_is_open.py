# also: nnx
"""What `.item()` gives is a number, be it of a tensor of any dtype or of one of NumPy's: nobody else holds what is summed from it."""

import numpy as np
import torch


def total(values, start):
    found = 0
    for value in values:
        found += value.item()
    return found, start


def main(values, x):
    s, start = total(values, x)
    s /= 2
    print(s, start.sum().item())
    y = torch.arange(3) * values[0].item()
    print(y.tolist(), y.dtype.is_floating_point)
    z = torch.tensor(values[1].item())
    print(z.item(), z.dtype.is_floating_point)
    w = torch.full((2,), values[2].item())
    print(w.tolist(), w.dtype.is_floating_point)
    n = values[0].item()
    print([n // 2, n % 2, n / 2, n**2])
    whole = torch.zeros(2, dtype=torch.int64) + n
    print(whole.tolist(), whole.dtype.is_floating_point, (torch.ones(2) * n).tolist())
    print(torch.stack([torch.tensor(v.item()) for v in values[:1]]).tolist())
    print(torch.tensor([v.item() for v in values[1:2]]).tolist())


main([torch.tensor(3), torch.tensor(2), torch.tensor(5)], torch.ones(2))
main([torch.tensor(3.5), torch.tensor(2.5), torch.tensor(5.0)], torch.ones(2))
main([np.float64(3.5), np.float32(2.5), torch.tensor(5.0)], torch.ones(2))
main([torch.tensor(True), torch.tensor(2.5), torch.tensor(True)], torch.ones(2))
