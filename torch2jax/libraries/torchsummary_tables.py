"""The summary of torchsummary, in plain torch; read as text, and translated with the program that uses it.

It tells the parts of a model with their parameters. The shapes of what they give are left out: the model is not run.
"""

import torch.nn as nn


def print_parameters(model: nn.Module):
    """Prints a table of the parts of a model with how many parameters they have, and how many of these are trained."""
    counts = {}
    for name, p in model.named_parameters():
        part = name.rpartition(".")[0]
        counts[part] = counts.get(part, 0) + p.numel()
    total = sum(counts.values())
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    rows = [f"{part or '(itself)':>40}  {count:>20,}" for part, count in counts.items()]
    table = ["-" * 64, f"{'Part':>40}  {'Param #':>20}", "=" * 64, *rows, "=" * 64]
    sums = [f"Total params: {total:,}", f"Trainable params: {trained:,}", f"Non-trainable params: {total - trained:,}"]
    print("\n".join([*table, *sums, "-" * 64]))  # noqa: T201


def summary(model: nn.Module, input_size=None, batch_size=-1, device="cuda"):
    """Prints what each part of a model has of parameters; it is not run, so that no shapes are told."""
    print_parameters(model)
