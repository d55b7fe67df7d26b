import torch
from torch import nn
from .builder import CLASSIFIERS, build_backbone, build_head


@CLASSIFIERS.register_module()
class ImageClassifier(nn.Module):
    def __init__(self, backbone, head=None):
        super().__init__()
        self.backbone = build_backbone(backbone)
        if head is not None:
            self.head = build_head(head)

    def forward_train(self, x, label):
        return self.head.forward_train(self.backbone(x), label)

    def forward(self, x):
        return self.head.simple_test(self.backbone(x))
