"""Loaders that a program makes with the rank of its process, and that print where they are made."""

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
        print(f"{len(self.tokens)} tokens for {num_processes} processes")
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


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    batches = Batches(2, 5, rank, world)
    rows = Batches(B=2, T=5, process_rank=rank, num_processes=world)
    model = GPT()
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    model = DDP(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    for step in range(4):
        model.train()
        optimizer.zero_grad()
        told = 0.0
        for micro in range(2):
            x, y = batches.next_batch()
            model.require_backward_grad_sync = micro == 1
            _, loss = model(x, y)
            loss = loss / 2
            told += loss.detach()
            loss.backward()
        dist.all_reduce(told, op=dist.ReduceOp.SUM)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        first, _ = rows.next_batch()
        if rank == 0:
            print(f"{step} {told.item() / world:.4f} {norm:.4f} {first.sum().item()} {batches.B * batches.T}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
