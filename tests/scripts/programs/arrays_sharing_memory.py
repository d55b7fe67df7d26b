# also: linen
"""Arrays of NumPy that share their memory with tensors, of which one is changed and the other read."""

import numpy as np
import torch

a = np.zeros(3, dtype=np.float32)
t = torch.from_numpy(a)
a[0] = 10
print(t)
u = torch.ones(2)
b = u.numpy()
u += 1
print(b)
