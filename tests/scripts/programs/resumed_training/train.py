"""A script that begins anew or goes on from a file, whose model has two names and may be compiled, run twice."""

import os

import torch
from net import Config, Net

compile = False
block_size = 5
iter_num = 0
best_val_loss = 1e9
if not os.path.exists("ckpt.pt"):
    model = Net(Config())
else:
    checkpoint = torch.load("ckpt.pt")
    model = Net(Config(**checkpoint["model_args"]))
    model.load_state_dict(checkpoint["model"])
    iter_num = checkpoint["iter_num"]
    best_val_loss = checkpoint["best_val_loss"]
if block_size < model.config.block_size:
    model.crop(block_size)
model.to("cpu")
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
checkpoint = None
if compile:
    unoptimized_model = model
    model = torch.compile(model)
raw_model = model
history = []
x = torch.arange(14).reshape(2, 7) % 6


def log(entry):
    history.append(entry)


while True:
    for group in optimizer.param_groups:
        group["lr"] = 0.1 / (iter_num + 1)
    logits, loss = model(x)
    log({"iter": iter_num, "loss": loss.item()})
    if loss < best_val_loss and iter_num > 0:
        best_val_loss = loss
        checkpoint = {
            "model": raw_model.state_dict(),
            "model_args": {"block_size": block_size},
            "iter_num": iter_num,
            "best_val_loss": best_val_loss,
        }
        torch.save(checkpoint, "ckpt.pt")
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    print(iter_num, f"{loss.item():.4f}", logits.shape)
    iter_num += 1
    if iter_num > 4:
        break
print([entry["iter"] for entry in history], f"{best_val_loss.item():.4f}", raw_model.head.weight.sum().item())
