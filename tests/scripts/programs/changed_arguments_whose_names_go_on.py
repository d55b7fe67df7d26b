# also: nnx, linen
"""The name of an argument that a function changes in place goes on as that of its result, while others hold the argument."""

import torch


def f(x):
    x.add_(1)
    return x * 2


def g(a):
    b = a
    b = f(b)
    return b


def h(a, flag):
    b = a
    if flag:
        c, b = 3, f(b)
    return b


a = torch.zeros(3)
print(g(a).tolist(), a.tolist())
print(h(a, True).tolist(), a.tolist())
d = a
d = f(d)
def flip(image, boxes):
    new_image = image.flip(2)
    new_boxes = boxes
    new_boxes[:, 0] = image.size(2) - boxes[:, 0] - 1
    new_boxes[:, 2] = image.size(2) - boxes[:, 2] - 1
    new_boxes = new_boxes[:, [2, 1, 0, 3]]
    return new_image, new_boxes


def scaled(boxes, dims):
    new_boxes = boxes / dims
    return new_boxes


def transform(image, boxes, train):
    new_image = image
    new_boxes = boxes
    if train:
        new_image, new_boxes = flip(new_image, new_boxes)
    return new_image, scaled(new_boxes, torch.FloatTensor([8, 8, 8, 8]).unsqueeze(0))


print(d.tolist(), a.tolist())
boxes = torch.tensor([[0.0, 0.0, 3.0, 3.0], [2.0, 1.0, 4.0, 5.0], [6, 6, 8, 8]])
image, moved = transform(torch.arange(192).reshape(3, 8, 8).float(), boxes, True)
print(image[0, 0, 0].item(), moved.tolist(), boxes.tolist())
