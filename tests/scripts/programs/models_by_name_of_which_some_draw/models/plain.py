import torch.nn as nn


class Scale(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.classes = classes

    def forward(self, x):
        return x[:, : self.classes] * 2


def identity(classes=2):
    return Scale(classes)
