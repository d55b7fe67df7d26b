# also: nnx, linen
import math
from dataclasses import asdict

import torch

from common import fill
from config import Config
from model import BertLM

cfg = Config(layers=2, tie=True)
print(asdict(cfg)["dim"])
model = fill(BertLM(cfg), 0.2)
optimizer = model.configure_optimizers(0.02, 0.1)
warmup, total = 2, 8


def get_lr(it, lr=0.02, low=0.002):
    if it < warmup:
        return lr * (it + 1) / warmup
    ratio = (it - warmup) / (total - warmup)
    return low + 0.5 * (1 + math.cos(math.pi * ratio)) * (lr - low)


def get_batch(i):
    ids = (torch.arange(18).view(3, 6) * 5 + i) % 11 + 1
    mask = torch.ones_like(ids)
    mask[0, 4:] = 0
    labels = ids.clone()
    corrupt = (torch.arange(18).view(3, 6) + i) % 4 == 0
    labels[~corrupt] = -100
    labels[mask == 0] = -100
    ids = ids.masked_fill(corrupt, 0)
    return ids, mask, labels


@torch.no_grad()
def estimate():
    model.eval()
    losses = torch.zeros(3)
    for k in range(3):
        _, loss = model(*get_batch(k + 20))
        losses[k] = loss.item()
    model.train()
    return losses.mean()


accum = 2
for it in range(total):
    lr = get_lr(it)
    for group in optimizer.param_groups:
        group["lr"] = lr
    lossf = 0.0
    for micro in range(accum):
        ids, mask, labels = get_batch(it * accum + micro)
        logits, loss = model(ids, mask, labels)
        loss = loss / accum
        lossf += loss.item()
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if it % 3 == 0:
        print(it, "%.4f %.4f %.5f" % (lossf, estimate(), lr))
