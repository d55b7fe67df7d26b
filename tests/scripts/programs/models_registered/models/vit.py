import torch.nn as nn

from .registry import register_model


class ViT(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, 2)

    def forward(self, x):
        return self.fc(x)


@register_model
def vit_s(**kw):
    return ViT(3, **kw)


@register_model
def vit_b(**kw):
    return ViT(5, **kw)
