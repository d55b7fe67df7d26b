# also: nnx
"""Functions that change an argument in place and give it back among other things."""

import torch


def mlm(ids, pm):
    labels = ids.clone()
    ind = pm < 0.3
    ids[ind] = 99
    return ids, labels


def kmeans(x, c, it):
    for _ in range(it):
        a = torch.cdist(x, c).argmin(1)
        for k in range(len(c)):
            sel = x[a == k]
            if len(sel):
                c[k] = sel.mean(0)
    return a, c


ids = torch.arange(12).view(2, 6)
pm = (torch.arange(12.0) * 0.37 % 1).view(2, 6)
i2, lab = mlm(ids, pm)
print(i2.tolist(), lab.tolist(), ids.sum().item())
x = torch.stack([torch.sin(torch.arange(10.0) * 2), torch.cos(torch.arange(10.0) * 3)], 1)
c = x[:3].clone()
a, cc = kmeans(x, c, 5)
print(a.tolist(), round(cc.sum().item(), 4), round(c.sum().item(), 4))


def lu(A):
    A = A.clone()
    n = A.shape[0]
    piv = torch.arange(n)

    def swap(i, j):
        A[[i, j]] = A[[j, i]]
        piv[[i, j]] = piv[[j, i]]

    for k in range(n - 1):
        m = k + A[k:, k].abs().argmax().item()
        if m != k:
            swap(k, m)
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= A[k + 1 :, k : k + 1] * A[k : k + 1, k + 1 :]
    return A, piv


L, piv = lu(torch.tensor([[1.0, 2, 3], [4, 5, 6], [7, 8, 10]]))
print(L.sum().item(), piv.tolist())
