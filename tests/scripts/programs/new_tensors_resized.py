# also: nnx
"""New tensors as old programs make them: `x.new().resize_(3)` is as long as it is said to be, and of the dtype of `x`."""

import queue

import torch


class Lighting:
    """Noise along the principal components of the colors."""

    def __init__(self, std, values, vectors):
        self.std = std
        self.values = torch.Tensor(values)
        self.vectors = torch.Tensor(vectors)

    def __call__(self, img):
        if self.std == 0:
            return img
        alpha = img.new().resize_(3).normal_(0.5, self.std)
        rgb = (
            self.vectors.type_as(img)
            .clone()
            .mul(alpha.view(1, 3).expand(3, 3))
            .mul(self.values.view(1, 3).expand(3, 3))
            .sum(1)
            .squeeze()
        )
        return img.add(rgb.view(3, 1, 1).expand_as(img))


def moments(parameters):
    return [(p.data.new().resize_as_(p.data).zero_(), p.data.new().resize_(p.size()).fill_(2)) for p in parameters]


def main():
    pictures = queue.Queue()
    pictures.put(torch.linspace(0, 1, 12).view(3, 2, 2))
    vectors = [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
    light = Lighting(1e-8, [0.2175, 0.0188, 0.0045], vectors)
    while not pictures.empty():
        print(light(pictures.get()).tolist())
    layer = torch.nn.Linear(2, 3)
    for first, second in moments(layer.parameters()):
        print(first.shape, first.sum().item(), second.sum().item())
    half = torch.ones(2, dtype=torch.float64)
    print(half.new().resize_(2, 2).fill_(0.1).sum().item())


main()
