"""Packages that stand on torch: what is used of them is reported, as is what is asked for with care and then needed."""

import lpips  # nothing of it is left where its uses are
import torch
import torch.nn as nn
import transformers
from apex.normalization import FusedLayerNorm
from mmcv.runner import BaseModule
from transformers import AdamW, AutoTokenizer, BertModel

try:
    from flash_attn import flash_attn_func
except ImportError:
    raise ImportError("please install flash-attn") from None

try:
    import xformers.ops as xops

    FAST = True
except ImportError:
    FAST = False

try:
    from kornia.losses import ssim_loss
except ImportError:
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = FusedLayerNorm(8)  # T2J200

    def forward(self, x):
        x = self.norm(x)
        if x.shape[0] > 2:
            x = xops.memory_efficient_attention(x, x, x)  # T2J200
        return flash_attn_func(x, x, x)  # T2J200


class Block(BaseModule):  # T2J206
    def forward(self, x):
        return torch.relu(x)


tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = BertModel.from_pretrained("bert-base-uncased")  # T2J200
optimizer = AdamW  # T2J200
distance = lpips.LPIPS(net="vgg")  # T2J200
worse = ssim_loss  # T2J200


def dotted(name):
    tokenizer = transformers.AutoTokenizer.from_pretrained(name)
    encoder = transformers.BertModel.from_pretrained(name)  # T2J200
    return tokenizer, encoder, transformers.Trainer(model=encoder)  # T2J200
