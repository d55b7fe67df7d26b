import torch
from torch.optim import lr_scheduler


def build_optimizer(model, cfg):
    return torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=0.9, weight_decay=1e-4)


def build_scheduler(optimizer, cfg):
    if cfg["sched"] == "cosine":
        scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=cfg["epochs"])
    elif cfg["sched"] == "step":
        scheduler = lr_scheduler.StepLR(optimizer, step_size=2)
    else:
        raise NotImplementedError(cfg["sched"])
    return scheduler
