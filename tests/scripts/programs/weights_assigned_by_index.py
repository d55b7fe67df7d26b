# also: nnx
"""Weights that a function copies into the parameters that it is given, of parts that are named by an index, and gives back."""

import torch
import torch.nn as nn
import numpy as np


class Att(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.W_query = nn.Linear(d, d, bias=False)
        self.out_proj = nn.Linear(d, d, bias=False)

    def forward(self, x):
        return self.out_proj(self.W_query(x))


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.att = Att(d)
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        return x + self.att(self.norm(x))


class Model(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.tok_emb = nn.Embedding(7, d)
        self.trf_blocks = nn.ModuleList([Block(d) for _ in range(n)])
        self.out_head = nn.Linear(d, 7, bias=False)

    def forward(self, x):
        x = self.tok_emb(x)
        for block in self.trf_blocks:
            x = block(x)
        return self.out_head(x)


def assign(left, right, tensor_name="unknown"):
    if left.shape != right.shape:
        raise ValueError(f"Shape mismatch in tensor '{tensor_name}'. Left: {left.shape}, Right: {right.shape}")
    with torch.no_grad():
        if isinstance(right, torch.Tensor):
            left.copy_(right)
        else:
            left.copy_(torch.as_tensor(right, dtype=left.dtype, device=left.device))
    return left


def load_weights(model, n, params):
    model.tok_emb.weight = assign(model.tok_emb.weight, params["tok"], "tok")
    for l in range(n):
        model.trf_blocks[l].att.W_query.weight = assign(
            model.trf_blocks[l].att.W_query.weight, params[f"q.{l}"], f"q.{l}"
        )
        model.trf_blocks[l].att.out_proj.weight = assign(model.trf_blocks[l].att.out_proj.weight, params[f"o.{l}"])
        model.trf_blocks[l].norm.weight = assign(model.trf_blocks[l].norm.weight, params[f"n.{l}"])
    if "head" in params:
        model.out_head.weight = assign(model.out_head.weight, params["head"])
    else:
        model.out_head.weight = model.tok_emb.weight
        print("Model uses weight tying.")


def fill(*shape, by=1.0):
    n = 1
    for s in shape:
        n *= s
    return np.sin(np.arange(n) * by).reshape(shape).astype(np.float32)


params = {"tok": fill(7, 4), "head": fill(7, 4, by=0.3)}
for l in range(2):
    params[f"q.{l}"] = torch.tensor(fill(4, 4, by=0.7 + l))
    params[f"o.{l}"] = fill(4, 4, by=0.2 + l)
    params[f"n.{l}"] = fill(4, by=0.5 + l)
model = Model(4, 2)
load_weights(model, 2, params)
print(model(torch.tensor([[1, 2, 3]])).sum().item())
for n, p in model.named_parameters():
    print(n, tuple(p.shape), p.sum().item())
