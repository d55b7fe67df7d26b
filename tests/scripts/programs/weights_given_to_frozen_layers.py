# also: nnx
"""Weights given by their place to a model whose layers are frozen: new parameters are trained."""

import numpy as np
import torch
import torch.nn as nn


class Att(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.W_query = nn.Linear(d, d, bias=True)
        self.out_proj = nn.Linear(d, d)

    def forward(self, x):
        return self.out_proj(torch.tanh(self.W_query(x)))


class TransformerBlock(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.att = Att(d)
        self.norm1 = nn.LayerNorm(d)

    def forward(self, x):
        return x + self.att(self.norm1(x))


class GPTModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok_emb = nn.Embedding(cfg["vocab_size"], cfg["emb_dim"])
        self.pos_emb = nn.Embedding(cfg["context_length"], cfg["emb_dim"])
        self.trf_blocks = nn.Sequential(*[TransformerBlock(cfg["emb_dim"]) for _ in range(cfg["n_layers"])])
        self.out_head = nn.Linear(cfg["emb_dim"], cfg["vocab_size"], bias=False)

    def forward(self, idx):
        b, t = idx.shape
        x = self.tok_emb(idx) + self.pos_emb(torch.arange(t, device=idx.device))
        return self.out_head(self.trf_blocks(x))


def assign(left, right):
    if left.shape != right.shape:
        raise ValueError(f"Shape mismatch. Left: {left.shape}, Right: {right.shape}")
    return torch.nn.Parameter(torch.tensor(right))


def load_weights_into_gpt(gpt, params):
    gpt.pos_emb.weight = assign(gpt.pos_emb.weight, params["wpe"])
    gpt.tok_emb.weight = assign(gpt.tok_emb.weight, params["wte"])

    for b in range(len(params["blocks"])):
        q_w, _ = np.split((params["blocks"][b]["attn"]["c_attn"])["w"], 2, axis=-1)
        gpt.trf_blocks[b].att.W_query.weight = assign(gpt.trf_blocks[b].att.W_query.weight, q_w.T)
        gpt.trf_blocks[b].att.out_proj.weight = assign(
            gpt.trf_blocks[b].att.out_proj.weight, params["blocks"][b]["attn"]["c_proj"]["w"].T
        )
        gpt.trf_blocks[b].att.out_proj.bias = assign(
            gpt.trf_blocks[b].att.out_proj.bias, params["blocks"][b]["attn"]["c_proj"]["b"]
        )
        gpt.trf_blocks[b].att.W_query.bias = assign(
            gpt.trf_blocks[b].att.W_query.bias, params["blocks"][b]["attn"]["c_proj"]["b"]
        )


def main():
    cfg = {"vocab_size": 11, "emb_dim": 4, "context_length": 8, "n_layers": 2}
    rng = np.random.RandomState(1)
    params = {"wpe": rng.randn(8, 4).astype("float32"), "wte": rng.randn(11, 4).astype("float32"), "blocks": []}
    for _ in range(2):
        params["blocks"].append(
            {
                "attn": {
                    "c_attn": {"w": rng.randn(4, 8).astype("float32")},
                    "c_proj": {"w": rng.randn(4, 4).astype("float32"), "b": rng.randn(4).astype("float32")},
                }
            }
        )
    gpt = GPTModel(cfg)
    gpt.eval()
    load_weights_into_gpt(gpt, params)
    idx = torch.tensor([[1, 2, 3], [4, 5, 10]])
    for param in gpt.parameters():
        param.requires_grad = False
    gpt.out_head = nn.Linear(cfg["emb_dim"], 3)
    nn.init.constant_(gpt.out_head.weight, 0.2)
    nn.init.zeros_(gpt.out_head.bias)
    for param in gpt.trf_blocks[-1].parameters():
        param.requires_grad = True
    load_weights_into_gpt(gpt, params)  # new parameters, which are trained
    opt = torch.optim.SGD(gpt.parameters(), lr=0.5)
    loss = gpt(idx)[:, -1].pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item(), [p.sum().item() for p in gpt.parameters()], [p.requires_grad for p in gpt.parameters()])
    out = gpt(idx)
    print(out.sum().item(), out[0, 1, 2].item())


main()
