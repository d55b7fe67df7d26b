"""The learning rate schedules of transformers, in plain torch; read as text, and translated with the program that uses them."""

import math

import torch


def get_constant_schedule(optimizer):
    """The rate as it is."""
    return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)


def get_constant_schedule_with_warmup(optimizer, num_warmup_steps):
    """Rises to the rate, and stays there."""

    def factor(step: int):
        return float(step) / float(max(1.0, num_warmup_steps)) if step < num_warmup_steps else 1.0

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


def get_linear_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps):
    """Rises to the rate, and falls to 0 along a line."""

    def factor(step: int):
        if step < num_warmup_steps:
            return float(step) / float(max(1, num_warmup_steps))
        return max(0.0, float(num_training_steps - step) / float(max(1, num_training_steps - num_warmup_steps)))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


def get_cosine_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps, num_cycles=0.5):
    """Rises to the rate, and falls to 0 along a cosine, of which half a cycle is taken."""

    def factor(step: int):
        if step < num_warmup_steps:
            return float(step) / float(max(1, num_warmup_steps))
        progress = float(step - num_warmup_steps) / float(max(1, num_training_steps - num_warmup_steps))
        return max(0.0, 0.5 * (1.0 + math.cos(math.pi * float(num_cycles) * 2.0 * progress)))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


def get_cosine_with_hard_restarts_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps, num_cycles=1):
    """Rises to the rate, and falls to 0 along a cosine as often as there are cycles, each time from the whole rate."""

    def factor(step: int):
        if step < num_warmup_steps:
            return float(step) / float(max(1, num_warmup_steps))
        progress = float(step - num_warmup_steps) / float(max(1, num_training_steps - num_warmup_steps))
        if progress >= 1.0:
            return 0.0
        return max(0.0, 0.5 * (1.0 + math.cos(math.pi * ((float(num_cycles) * progress) % 1.0))))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


def get_scheduler(name, optimizer, num_warmup_steps=None, num_training_steps=None):
    """The schedule of a name."""

    def factor(step: int):
        if name == "constant":
            return 1.0
        if step < num_warmup_steps:
            return float(step) / float(max(1, num_warmup_steps))
        if name == "constant_with_warmup":
            return 1.0
        if name == "inverse_sqrt":
            scale = num_warmup_steps or 10_000
            return 1.0 / math.sqrt((step + scale - num_warmup_steps) / scale)
        progress = float(step - num_warmup_steps) / float(max(1, num_training_steps - num_warmup_steps))
        if name == "linear":
            return max(0.0, float(num_training_steps - step) / float(max(1, num_training_steps - num_warmup_steps)))
        if name == "cosine":
            return max(0.0, 0.5 * (1.0 + math.cos(math.pi * progress)))
        if name == "cosine_with_restarts":
            return 0.0 if progress >= 1.0 else max(0.0, 0.5 * (1.0 + math.cos(math.pi * (progress % 1.0))))
        raise NotImplementedError(f"the schedule {name}: write its factor and give it to LambdaLR")

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
