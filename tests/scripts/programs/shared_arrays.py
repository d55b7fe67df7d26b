import numpy as np
import torch

t = torch.ones(5)
print(t.tolist())
n = t.numpy()
print(n.tolist())
t.add_(1)
print(t.tolist())
print(n.tolist())
n[1] = 7
print(t.sum().item())
n = np.ones(5)
t = torch.from_numpy(n)
np.add(n, 1, out=n)
print(t.tolist())
print(n.tolist())
a = np.arange(6.0).reshape(2, 3)
b = torch.from_numpy(a)
b.mul_(2)
print(a.tolist(), a.sum())
b[0, 1] = 50
print(a[0], b.sum().item())
a[1] *= 3
print(b[1].tolist())
for step in range(3):
    print(a[0, 0], b[0, 0].item())
    b += 1
    print(a[0, 0], b[0, 0].item())
    a -= 0.5
np.copyto(a, np.zeros((2, 3)))
print(b.sum().item())


def inside(k):
    x = torch.arange(4.0) * k
    y = x.numpy()
    x.sub_(1)
    y[0] = 9
    return float(y.sum()), x.sum().item()


print(inside(2), inside(3))

w = torch.zeros(4)
kept = w.detach().numpy()
w.mul_(2)
w += 1
print(kept.tolist())
img = np.zeros((2, 2), dtype=np.uint8)
picture = torch.from_numpy(img).unsqueeze(0)
img[0, 0] = 200
print(picture.sum().item())
