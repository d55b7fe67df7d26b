import math
import torch


def build_optimizer(cfg, model):
    decay = [p for n, p in model.named_parameters() if p.ndim > 1]
    rest = [p for n, p in model.named_parameters() if p.ndim <= 1]
    groups = [{"params": decay, "weight_decay": cfg.get("wd", 0.0)}, {"params": rest, "weight_decay": 0.0}]
    if cfg["type"] == "sgd":
        return torch.optim.SGD(groups, lr=cfg["lr"], momentum=0.9)
    elif cfg["type"] == "adamw":
        return torch.optim.AdamW(groups, lr=cfg["lr"])
    raise ValueError(cfg["type"])


def build_scheduler(cfg, optimizer):
    def fn(step):
        if step < cfg["warmup"]:
            return (step + 1) / cfg["warmup"]
        return 0.5 * (1 + math.cos(math.pi * (step - cfg["warmup"]) / (cfg["steps"] - cfg["warmup"])))
    return torch.optim.lr_scheduler.LambdaLR(optimizer, fn)
