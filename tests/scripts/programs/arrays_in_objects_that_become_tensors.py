# also: nnx, linen
"""Objects that fill an array before they keep it as a tensor, and that make batches as large as a number which they are given."""

import numpy as np
import torch


def colormap(n):
    cmap = np.zeros([n, 3]).astype(np.uint8)
    for i in np.arange(n):
        r, g, b = np.zeros(3)
        for j in np.arange(8):
            r = r + (1 << (7 - j)) * ((i & (1 << (3 * j))) >> (3 * j))
            g = g + (1 << (7 - j)) * ((i & (1 << (3 * j + 1))) >> (3 * j + 1))
            b = b + (1 << (7 - j)) * ((i & (1 << (3 * j + 2))) >> (3 * j + 2))
        cmap[i, :] = np.array([r, g, b])
    return cmap


class Colorize:
    def __init__(self, n=22):
        self.cmap = colormap(256)
        self.cmap[n] = self.cmap[-1]
        self.cmap = torch.from_numpy(self.cmap[:n])

    def __call__(self, gray_image):
        size = gray_image.size()
        color_image = torch.ByteTensor(3, size[1], size[2]).fill_(0)
        for label in range(1, len(self.cmap)):
            mask = gray_image[0] == label
            color_image[0][mask] = self.cmap[label][0]
            color_image[1][mask] = self.cmap[label][1]
            color_image[2][mask] = self.cmap[label][2]
        return color_image


c = Colorize(8)
print(c(torch.arange(12).view(1, 3, 4) % 9).tolist())
print(c.cmap.tolist())


class Buffer:
    def __init__(self, batch_size, size):
        self.batch_size = batch_size
        self.history = 2
        self.state = np.arange(size * 4).reshape(size, 2, 2)

    def sample(self):
        index = np.arange(self.batch_size)
        state = np.zeros(((self.batch_size, self.history) + self.state.shape[1:]), dtype=np.uint8)
        for i in range(self.history):
            state[:, i] = self.state[(index - i) % len(self.state)]
        return torch.ByteTensor(state).float()


def make(settings, batch_size):
    return Buffer(batch_size, int(settings["size"]))


def main(is_small):
    small = {"batch_size": 3, "size": 6.0, "optimizer": {"lr": 0.1}, "name": "small"}
    large = {"batch_size": 4, "size": 7.0, "optimizer": {"lr": 0.1, "eps": 0.2}, "name": "large"}
    settings = small if is_small else large
    buffer = make(settings, settings["batch_size"])
    print(settings["batch_size"], buffer.sample().tolist(), settings["name"] == "small")


main(True)
