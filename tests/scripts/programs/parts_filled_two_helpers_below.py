# also: nnx, linen
"""Weights of a part that a short name stands for are loaded by a helper that gives them to another helper."""

import torch
from torch import nn


class Att(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.q = nn.Linear(n, n, bias=False)

    def forward(self, x):
        return self.q(x)


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.att = Att(n)
        self.norm = nn.LayerNorm(n)
        self.register_buffer("layer_scalar", torch.ones(1))

    def forward(self, x):
        return (x + self.att(self.norm(x))) * self.layer_scalar


class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.tok_emb = nn.Embedding(5, n)
        self.blocks = nn.ModuleList([Block(n) for _ in range(2)])

    def forward(self, i):
        x = self.tok_emb(i)
        for block in self.blocks:
            x = block(x)
        return x


def load_weights(model, config, params):
    def assign(left, right, tensor_name="unknown"):
        if right is None:
            return False
        if left.shape != right.shape:
            raise ValueError(f"Shape mismatch in tensor '{tensor_name}'. Left: {left.shape}, Right: {right.shape}")
        with torch.no_grad():
            if isinstance(right, torch.Tensor):
                left.copy_(right.to(dtype=left.dtype, device=left.device))
            else:
                left.copy_(torch.as_tensor(right, dtype=left.dtype, device=left.device))
        return True

    def get_tensor(*names):
        for name in names:
            if name in params:
                return params[name], name
        return None, None

    loaded = 0
    missing = []

    def assign_from(target, *names):
        nonlocal loaded
        tensor, name = get_tensor(*names)
        expected_name = names[0]
        if tensor is None:
            missing.append(expected_name)
            return
        loaded += int(assign(target, tensor, name or expected_name))

    assign_from(model.tok_emb.weight, "emb.weight", "emb")
    for l in range(config["n_layers"]):
        block = model.blocks[l]
        prefix = f"layers.{l}."
        assign_from(block.att.q.weight, f"{prefix}q")
        assign_from(block.norm.weight, f"{prefix}norm")
        assign_from(block.layer_scalar, f"{prefix}layer_scalar")
    print(loaded, missing)
    return loaded


n = 4
model = Model(n)
params = {"emb": torch.arange(20.0).reshape(5, n) / 10}
for l in range(2):
    params[f"layers.{l}.q"] = torch.full((n, n), 0.1 * l + 0.2) + torch.eye(n)
    params[f"layers.{l}.norm"] = torch.full((n,), 0.7)
    if l:
        params[f"layers.{l}.layer_scalar"] = torch.full((1,), 0.5)
print(load_weights(model, {"n_layers": 2}, params))
print(model(torch.tensor([[0, 3, 1]])).tolist())
