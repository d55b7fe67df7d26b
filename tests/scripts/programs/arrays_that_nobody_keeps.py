"""Tensors made of copies of arrays, or of arrays that nobody else has, are changed in place."""

import numpy as np
import torch


class Data(torch.utils.data.Dataset):
    def __init__(self):
        self.images = np.arange(24).reshape(4, 6).astype(np.uint8)
        self.table = np.ones((4, 2), dtype=np.float32)

    def __len__(self):
        return 4

    def __getitem__(self, i):
        img = torch.from_numpy(self.images[i]).float()
        img /= 255
        row = torch.from_numpy(self.table[i].copy())
        row += 1
        return img, row


def scaled(a):
    t = torch.from_numpy(a)
    t *= 2
    return t


def made():
    a = np.ones(3, dtype=np.float32)
    t = torch.from_numpy(a)
    t += 1
    return t


d = Data()
print(sum(img.sum().item() + row.sum().item() for img, row in d))
print(scaled(np.ones(3, dtype=np.float32)).sum().item(), made().sum().item(), d.table.sum())
