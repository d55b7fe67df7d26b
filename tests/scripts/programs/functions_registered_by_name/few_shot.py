import torch
import torch.nn as nn
from factory import register_model

class Protonet(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
    def forward(self, x):
        return self.encoder(x)

@register_model('protonet_conv')
def load_protonet_conv(**kwargs):
    x_dim = kwargs['x_dim']
    hid_dim = kwargs['hid_dim']
    def block(i, o):
        return nn.Sequential(nn.Linear(i, o), nn.ReLU())
    encoder = nn.Sequential(block(x_dim, hid_dim), block(hid_dim, 2))
    return Protonet(encoder)

@register_model('small')
def load_small(**kwargs):
    return Protonet(nn.Linear(kwargs['x_dim'], 2))
