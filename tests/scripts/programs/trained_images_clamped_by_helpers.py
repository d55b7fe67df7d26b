# also: nnx, linen
"""An image that is trained, and that a helper clamps part by part before each step."""

import torch
from torch.autograd import Variable
from torch.optim import SGD


def center(batch):
    mean = torch.zeros(batch.size())
    mean[:, 0] = 0.25
    return batch - mean


def clamp_batch(batch, low, high):
    batch[:, 0].data.clamp_(low - 0.25, high - 0.25)
    batch[:, 1].data.clamp_(low, high)


def optimize(content_image, cuda=False):
    content_image = center(content_image.unsqueeze(0))
    if cuda:
        content_image = content_image.cuda()
    features = content_image * 2
    output = Variable(content_image.data, requires_grad=True)
    optimizer = SGD([output], lr=0.3)
    for e in range(3):
        clamp_batch(output, 0, 1)
        optimizer.zero_grad()
        y = output * output
        loss = ((y - features) ** 2).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())
    print(output.tolist())


optimize(torch.linspace(-1, 1, 12).view(3, 4)[:2])
