import torch
from models import Backbone


def make_backbone():
    backbone = Backbone()
    with torch.no_grad():
        for p in backbone.parameters():
            p.fill_(0.2)
    return backbone
