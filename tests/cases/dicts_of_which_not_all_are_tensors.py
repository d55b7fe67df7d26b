"""Dicts that get tensors under some of their keys: what the others hold is not known."""

import torch


def repeat_some(batch, n):
    for key in batch.keys():
        if key != "name":
            batch[key] = torch.tensor(batch[key], dtype=torch.float32)
    return batch["r"].repeat(1, n)  # T2J204


def repeat_to_first(batch, n):
    for key, value in batch.items():
        if value is None:
            break
        batch[key] = torch.as_tensor(value)
    return batch["r"].repeat(1, n)  # T2J204


def repeat_changed_again(batch, n):
    for key in batch.keys():
        batch[key] = torch.tensor(batch[key])
        for other in ("r", "s"):
            batch[other] = batch[other].tolist()
    return batch["r"].repeat(1, n)  # T2J204


def repeat_all(batch, n):
    for key in batch.keys():
        if key == "u":
            batch[key] = torch.tensor(batch[key], dtype=torch.long)
        elif key == "r":
            batch[key] = torch.tensor(batch[key], dtype=torch.float32)
        else:
            batch[key] = torch.as_tensor(batch[key])
    return batch["r"].repeat(1, n)
