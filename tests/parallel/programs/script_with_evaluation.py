"""A script that trains and evaluates at module level, with or without processes."""

import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Batches:
    def __init__(self, B, T, process_rank, num_processes):
        self.B, self.T = B, T
        self.process_rank = process_rank
        self.num_processes = num_processes
        self.tokens = torch.arange(300) % 7
        self.reset()

    def reset(self):
        self.current_position = self.B * self.T * self.process_rank

    def next_batch(self):
        B, T = self.B, self.T
        buf = self.tokens[self.current_position : self.current_position + B * T + 1]
        x = (buf[:-1]).view(B, T)
        y = (buf[1:]).view(B, T)
        self.current_position += B * T * self.num_processes
        if self.current_position + (B * T * self.num_processes + 1) > len(self.tokens):
            self.current_position = self.B * self.T * self.process_rank
        return x, y


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(7, 8)
        self.out = nn.Linear(8, 7)

    def forward(self, x, y=None):
        logits = self.out(self.emb(x))
        loss = None
        if y is not None:
            loss = F.cross_entropy(logits.view(-1, 7), y.view(-1))
        return logits, loss


ddp = int(os.environ.get("RANK", -1)) != -1
if ddp:
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    world = int(os.environ["WORLD_SIZE"])
    master_process = rank == 0
else:
    rank = 0
    world = 1
    master_process = True
device = "cpu"
B, T, grad_accum_steps = 2, 5, 2
train_loader = Batches(B=B, T=T, process_rank=rank, num_processes=world)
val_loader = Batches(B=B, T=T, process_rank=rank, num_processes=world)
model = GPT()
with torch.no_grad():
    for number, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
if ddp:
    model = DDP(model)
raw_model = model.module if ddp else model
optimizer = torch.optim.AdamW(raw_model.parameters(), lr=0.02)
for step in range(4):
    if step % 2 == 0:
        model.eval()
        val_loader.reset()
        with torch.no_grad():
            val_loss_accum = 0.0
            for _ in range(2):
                x, y = val_loader.next_batch()
                x, y = x.to(device), y.to(device)
                _, loss = model(x, y)
                loss = loss / 2
                val_loss_accum += loss.detach()
        if ddp:
            dist.all_reduce(val_loss_accum, op=dist.ReduceOp.SUM)
            val_loss_accum = val_loss_accum / world
        if master_process:
            print(f"validation loss: {val_loss_accum.item():.4f}")
    model.train()
    optimizer.zero_grad()
    loss_accum = 0.0
    for micro in range(grad_accum_steps):
        x, y = train_loader.next_batch()
        x, y = x.to(device), y.to(device)
        if ddp:
            model.require_backward_grad_sync = micro == grad_accum_steps - 1
        _, loss = model(x, y)
        loss = loss / grad_accum_steps
        loss_accum += loss.detach()
        loss.backward()
    if ddp:
        dist.all_reduce(loss_accum, op=dist.ReduceOp.SUM)
        loss_accum = loss_accum / world
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    rows = torch.arange(5)[None]
    while rows.size(1) < 7:
        with torch.no_grad():
            logits, loss = model(rows)
            rows = torch.cat((rows, logits[:, -1:].argmax(dim=-1)), dim=1)
    if master_process:
        print(rows.tolist(), loss)
        print(f"step {step} | loss: {loss_accum.item():.4f} | norm: {norm:.4f}")
if ddp:
    dist.destroy_process_group()
