"""Arrays of NumPy that are made of tensors and changed in place, through variables, views and functions."""

import numpy as np
import torch

t = torch.arange(6.0).reshape(3, 2)
img = t[0].detach().numpy()
img *= 255.0
img[0] = 3
print(img.sum())


def show(x):
    y = x.cpu().numpy()
    y += 1
    return y


def unknown(out):
    y = out.cpu().detach().numpy()
    y -= 1
    y = np.clip(y, 0, 5)
    y[0] = 7
    return y


def to_array(x):
    return x.detach().cpu().numpy()


def picture(x):
    image = to_array(x).transpose(1, 0)
    image[image > 2] = 0
    view = image[0]
    view += 1
    return image


def kept(x):
    y = x.numpy()
    return y * 2


print(show(torch.ones(2)), unknown(torch.zeros(2)), picture(torch.arange(6.0).reshape(2, 3)), kept(torch.ones(2)))
