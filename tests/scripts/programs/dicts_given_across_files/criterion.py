import torch.nn as nn
import torch.nn.functional as F


class Criterion(nn.Module):
    def __init__(self, weight_dict, classes):
        super().__init__()
        self.weight_dict = weight_dict
        self.classes = classes

    def forward(self, out, boxes, y, target):
        losses = {"ce": F.cross_entropy(out, y), "bbox": F.l1_loss(boxes, target), "giou": boxes.pow(2).mean()}
        return sum(losses[k] * self.weight_dict[k] for k in losses if k in self.weight_dict)
