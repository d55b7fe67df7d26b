# also: nnx, linen
"""Gradients that feature maps keep, as class activation maps ask for them."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class CamNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 3, 3, padding=1), nn.ReLU())
        self.fc = nn.Linear(3, 2)


net = CamNet()
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))


def cam(net, image, index):
    maps = net.features(image)
    maps.retain_grad()
    scores = net.fc(maps.mean(dim=(2, 3)))
    scores[0, index].backward()
    weights = maps.grad.mean(dim=(2, 3), keepdim=True)
    return F.relu((weights * maps).sum(1)).detach()


print(cam(net, torch.linspace(0, 1, 16).view(1, 1, 4, 4), 1).sum().item())


def layers(net, image):
    outputs = []
    x = image
    for module in net.features:
        x = module(x)
    x.retain_grad()
    loss = net.fc(x.mean(dim=(2, 3))).logsumexp(1).sum()
    loss.backward()
    first = x.grad.abs().sum().item()
    outputs.append(first)
    return outputs


print(layers(net, torch.linspace(0, 1, 16).view(1, 1, 4, 4)))
