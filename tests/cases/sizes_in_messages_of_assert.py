"""What an `assert` says is looked at like its test: the sizes in it are those of tensors."""

import torch
import torch.nn as nn


class Dice(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.classes = classes

    def overlap(self, input, target):
        assert input.size() == target.size(), "not the same shape: " + str(input.size()) + str(target.size())
        return (input * target).view(self.classes, -1).sum(-1)

    def forward(self, input, target):
        return self.overlap(torch.sigmoid(input), target)
