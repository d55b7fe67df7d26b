"""Arrays of NumPy and tensors made of each other, where nobody sees the changes of the other."""

import numpy as np
import torch

a = np.zeros(3, dtype=np.float32)
a[1] = 2
t = torch.from_numpy(a)
t = t + 1
a = np.ones(3)
a[0] = 10
print(t.tolist(), a.sum())
b = torch.tensor(a)
a[0] = 5
print(b.tolist(), a.tolist())
u = torch.ones(2)
n = u.clone().numpy().copy()
n[0] = 7
print(u.tolist(), n.tolist())
rows = []
for step in range(3):
    row = np.full(2, float(step), dtype=np.float32)
    row[0] = -1
    rows.append(torch.from_numpy(row))
print(torch.stack(rows).tolist())
