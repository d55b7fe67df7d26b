import torch
from torch import nn
from .builder import HEADS, LOSSES, build_loss


@LOSSES.register_module()
class CE(nn.Module):
    def __init__(self, weight=1.0):
        super().__init__()
        self.weight = weight

    def forward(self, score, label):
        return self.weight * nn.functional.cross_entropy(score, label)


@HEADS.register_module()
class LinearHead(nn.Module):
    def __init__(self, n, width, loss=dict(type="CE", weight=2.0)):
        super().__init__()
        self.fc = nn.Linear(width, n)
        self.compute_loss = build_loss(loss)

    def forward_train(self, x, label):
        return self.compute_loss(self.fc(x), label)

    def simple_test(self, x):
        return self.fc(x).softmax(1)
