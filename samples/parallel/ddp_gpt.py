"""Train a small GPT on several devices, with gradients of several batches: `torchrun --nproc-per-node=8 ddp_gpt.py`."""

import math
import os
from contextlib import nullcontext

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed import destroy_process_group, init_process_group
from torch.nn.parallel import DistributedDataParallel as DDP

block_size, batch_size, vocab_size = 8, 2, 16
gradient_accumulation_steps = 2
max_iters, warmup_iters, learning_rate, min_lr, grad_clip = 6, 2, 1e-2, 1e-3, 1.0


class Block(nn.Module):
    def __init__(self, dim: int, heads: int):
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.c_attn = nn.Linear(dim, 3 * dim)
        self.c_proj = nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        b, t, c = x.size()
        q, k, v = (part.view(b, t, self.heads, -1).transpose(1, 2) for part in self.c_attn(self.ln_1(x)).split(c, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.c_proj(y.transpose(1, 2).contiguous().view(b, t, c))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, dim: int = 16, heads: int = 2, layers: int = 2):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, dim)
        self.wpe = nn.Embedding(block_size, dim)
        self.blocks = nn.ModuleList([Block(dim, heads) for _ in range(layers)])
        self.ln_f = nn.LayerNorm(dim)
        self.lm_head = nn.Linear(dim, vocab_size, bias=False)

    def forward(self, idx, targets):
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1), device=idx.device))
        for block in self.blocks:
            x = block(x)
        logits = self.lm_head(self.ln_f(x))
        return logits, F.cross_entropy(logits.view(-1, vocab_size), targets.reshape(-1))


def init_weights(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(0.2 * torch.sin(1.7 * torch.arange(p.numel(), dtype=torch.float32) + number).reshape(p.shape))


def get_lr(it):
    if it < warmup_iters:
        return learning_rate * (it + 1) / (warmup_iters + 1)
    ratio = (it - warmup_iters) / (max_iters - warmup_iters)
    return min_lr + 0.5 * (1.0 + math.cos(math.pi * ratio)) * (learning_rate - min_lr)


def main():
    init_process_group(backend="gloo")
    ddp_rank = int(os.environ["RANK"])
    ddp_world_size = int(os.environ["WORLD_SIZE"])
    master_process = ddp_rank == 0
    if master_process:
        print(f"tokens per iteration: {gradient_accumulation_steps * ddp_world_size * batch_size * block_size}")

    tokens = torch.arange(4096) ** 2 % 13 + torch.arange(4096) % 3
    sequences = tokens[: 4096 - 4096 % (block_size + 1)].view(-1, block_size + 1)
    model = GPT()
    init_weights(model)
    decay = [p for p in model.parameters() if p.dim() >= 2]
    no_decay = [p for p in model.parameters() if p.dim() < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.1}, {"params": no_decay, "weight_decay": 0.0}], lr=learning_rate, betas=(0.9, 0.95)
    )
    model = DDP(model)

    number = 0
    for it in range(max_iters):
        lr = get_lr(it)
        for group in optimizer.param_groups:
            group["lr"] = lr
        for micro_step in range(gradient_accumulation_steps):
            start = (number * ddp_world_size + ddp_rank) * batch_size
            batch = sequences[start : start + batch_size]
            number += 1
            last = micro_step == gradient_accumulation_steps - 1
            with nullcontext() if last else model.no_sync():
                logits, loss = model(batch[:, :-1], batch[:, 1:])
                (loss / gradient_accumulation_steps).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if master_process:
            print(f"iter {it}: loss {loss.item():.4f}, lr {lr:.5f}")
    if master_process:
        print({name: round(p.abs().sum().item(), 3) for name, p in model.module.named_parameters() if "ln_f" in name})
    destroy_process_group()


if __name__ == "__main__":
    main()
