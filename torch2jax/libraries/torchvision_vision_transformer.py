"""Dosovitskiy et al., 2020 (arXiv:2010.11929): an encoder over patches of a picture and a token for its class."""

import math
from collections import OrderedDict
from functools import partial

import torch
import torch.nn as nn

from torch2jax.libraries.torchvision_ops import MLP

OMITTED = {
    "VisionTransformer": "_process_input attention_dropout conv_stem_configs dropout mlp_dim norm_layer representation_size"
}


class EncoderBlock(nn.Module):
    """Attention and a small network, each behind a norm and beside a shortcut."""

    def __init__(self, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer):
        super().__init__()
        self.num_heads = num_heads
        self.ln_1 = norm_layer(hidden_dim)
        self.self_attention = nn.MultiheadAttention(hidden_dim, num_heads, dropout=attention_dropout, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.ln_2 = norm_layer(hidden_dim)
        self.mlp = MLP(hidden_dim, [mlp_dim, hidden_dim], activation_layer=nn.GELU, dropout=dropout)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        x = self.ln_1(input)
        x, _ = self.self_attention(x, x, x, need_weights=False)
        x = self.dropout(x) + input
        return x + self.mlp(self.ln_2(x))


class Encoder(nn.Module):
    def __init__(self, seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer):
        super().__init__()
        self.pos_embedding = nn.Parameter(torch.empty(1, seq_length, hidden_dim).normal_(std=0.02))
        self.dropout = nn.Dropout(dropout)
        layers = OrderedDict()
        for i in range(num_layers):
            layers[f"encoder_layer_{i}"] = EncoderBlock(
                num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer
            )
        self.layers = nn.Sequential(layers)
        self.ln = norm_layer(hidden_dim)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))


def head_layers(hidden_dim, num_classes, representation_size):
    layers = OrderedDict()
    if representation_size is None:
        layers["head"] = nn.Linear(hidden_dim, num_classes)
    else:
        layers["pre_logits"] = nn.Linear(hidden_dim, representation_size)
        layers["act"] = nn.Tanh()
        layers["head"] = nn.Linear(representation_size, num_classes)
    return nn.Sequential(layers)


class VisionTransformer(nn.Module):
    def __init__(
        self,
        image_size,
        patch_size,
        num_layers,
        num_heads,
        hidden_dim,
        mlp_dim,
        dropout=0.0,
        attention_dropout=0.0,
        num_classes=1000,
        *,
        representation_size=None,
        norm_layer=None,
    ):
        super().__init__()
        self.image_size = image_size
        self.patch_size = patch_size
        self.hidden_dim = hidden_dim
        self.num_classes = num_classes
        norm = norm_layer or partial(nn.LayerNorm, eps=1e-6)
        self.conv_proj = nn.Conv2d(3, hidden_dim, kernel_size=patch_size, stride=patch_size)
        self.class_token = nn.Parameter(torch.zeros(1, 1, hidden_dim))
        self.seq_length = (image_size // patch_size) ** 2 + 1
        self.encoder = Encoder(
            self.seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm
        )
        self.heads = head_layers(hidden_dim, num_classes, representation_size)
        for module in self.encoder.modules():
            if isinstance(module, nn.Linear) and module.in_features != module.out_features:
                nn.init.xavier_uniform_(module.weight)
                nn.init.normal_(module.bias, std=1e-6)
        nn.init.trunc_normal_(self.conv_proj.weight, std=math.sqrt(1 / (3 * patch_size * patch_size)))
        nn.init.zeros_(self.conv_proj.bias)
        for module in self.heads.modules():
            if isinstance(module, nn.Linear):
                nn.init.trunc_normal_(module.weight, std=math.sqrt(1 / hidden_dim))
                nn.init.zeros_(module.bias)
        nn.init.zeros_(self.heads.head.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_proj(x).flatten(2).permute(0, 2, 1)
        x = torch.cat([self.class_token.expand(x.shape[0], -1, -1), x], dim=1)
        return self.heads(self.encoder(x)[:, 0])


def downloaded_vit(url):
    """Weights of former versions, whose small networks had other names."""
    weights = torch.hub.load_state_dict_from_url(url)
    weights = {name.replace("linear_1.", "0."): value for name, value in weights.items()}
    return {name.replace("linear_2.", "3."): value for name, value in weights.items()}


def vit_b_16(*, weights=None, image_size=224, **kwargs):
    model = VisionTransformer(image_size, 16, 12, 12, 768, 3072, **kwargs)
    if weights is not None:
        model.load_state_dict(downloaded_vit("https://download.pytorch.org/models/vit_b_16-c867db91.pth"))
    return model


def vit_b_32(*, weights=None, image_size=224, **kwargs):
    model = VisionTransformer(image_size, 32, 12, 12, 768, 3072, **kwargs)
    if weights is not None:
        model.load_state_dict(downloaded_vit("https://download.pytorch.org/models/vit_b_32-d86f8d99.pth"))
    return model


def vit_l_16(*, weights=None, image_size=224, **kwargs):
    model = VisionTransformer(image_size, 16, 24, 16, 1024, 4096, **kwargs)
    if weights is not None:
        model.load_state_dict(downloaded_vit("https://download.pytorch.org/models/vit_l_16-852ce7e3.pth"))
    return model


def vit_l_32(*, weights=None, image_size=224, **kwargs):
    model = VisionTransformer(image_size, 32, 24, 16, 1024, 4096, **kwargs)
    if weights is not None:
        model.load_state_dict(downloaded_vit("https://download.pytorch.org/models/vit_l_32-c7638314.pth"))
    return model
