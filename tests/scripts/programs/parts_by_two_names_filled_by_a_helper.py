# also: nnx, linen
"""Weights are loaded into a part whose name is short for another short name, by a helper that fills what it is given."""

import torch
from torch import nn


class Att(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.W_query = nn.Linear(n, n, bias=False)
        self.q_norm = nn.LayerNorm(n)

    def forward(self, x):
        return self.q_norm(self.W_query(x))


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.att = Att(n)
        self.norm1 = nn.LayerNorm(n)

    def forward(self, x):
        return x + self.att(self.norm1(x))


class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.tok_emb = nn.Embedding(5, n)
        self.trf_blocks = nn.ModuleList([Block(n) for _ in range(2)])
        self.out_head = nn.Linear(n, 5, bias=False)

    def forward(self, i):
        x = self.tok_emb(i)
        for block in self.trf_blocks:
            x = block(x)
        return self.out_head(x)


def load_weights(model, config, params):
    def assign(left, right, tensor_name="unknown"):
        if left.shape != right.shape:
            raise ValueError(f"Shape mismatch in tensor '{tensor_name}'. Left: {left.shape}, Right: {right.shape}")

        with torch.no_grad():
            if isinstance(right, torch.Tensor):
                left.copy_(right)
            else:
                left.copy_(torch.as_tensor(right, dtype=left.dtype, device=left.device))

        return left

    model.tok_emb.weight = assign(model.tok_emb.weight, params["emb"], "emb")

    for l in range(config["n_layers"]):
        block = model.trf_blocks[l]
        att = block.att
        att.W_query.weight = assign(att.W_query.weight, params[f"layers.{l}.q"], f"layers.{l}.q")
        if hasattr(att, "q_norm") and att.q_norm is not None:
            att.q_norm.weight = assign(att.q_norm.weight, params[f"layers.{l}.q_norm"], f"layers.{l}.q_norm")
        block.norm1.weight = assign(block.norm1.weight, params[f"layers.{l}.norm1"], f"layers.{l}.norm1")

    if "head" in params:
        model.out_head.weight = assign(model.out_head.weight, params["head"], "head")
    else:
        model.out_head.weight = model.tok_emb.weight


n = 4
model = Model(n)
params = {"emb": torch.arange(20.0).reshape(5, n) / 10, "head": torch.arange(20.0).reshape(5, n) / 20}
for l in range(2):
    params[f"layers.{l}.q"] = torch.full((n, n), 0.1 * l + 0.2) + torch.eye(n)
    params[f"layers.{l}.q_norm"] = torch.full((n,), 0.5)
    params[f"layers.{l}.norm1"] = torch.full((n,), 0.7)
load_weights(model, {"n_layers": 2}, params)
print(model(torch.tensor([[0, 3, 1]])).tolist())
