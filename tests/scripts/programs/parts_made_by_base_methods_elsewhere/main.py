# also: nnx
"""A base class of another file whose method makes a part and fills it, where a derived class has some option."""

import torch
from models.vae import VAE
m = VAE({"prior": "vamp", "mean": 0.5, "std": 0.01})
for k, p in m.named_parameters():
    if k.endswith("bias"):
        p.data.zero_()
print(m(torch.ones(2, 3)).tolist())
