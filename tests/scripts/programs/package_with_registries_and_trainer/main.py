# also: nnx, linen
# Models and options by their names, two networks one after the other, and a trainer, each in a file of its own.
import torch
import torch.nn as nn
import proj.models
from proj import MODELS, build
from proj.engine import Trainer, build_optimizer, build_scheduler
from proj.utils import StepLogger

CONFIGS = [
    dict(model=dict(type="mlp", width=8), optim=dict(type="sgd", lr=0.1, wd=0.01), sched=dict(warmup=2, steps=8)),
    dict(model=dict(type="conv", channels=4, classes=3), optim=dict(type="adamw", lr=0.02, wd=0.1), sched=dict(warmup=2, steps=8)),
]


def data():
    for i in range(4):
        yield torch.sin(torch.arange(96.0) * (i + 1)).reshape(6, 1, 4, 4), torch.arange(6) % 3


def main():
    for cfg in CONFIGS:
        model = build(MODELS, cfg["model"])
        for p in model.parameters():
            p.data = 0.3 * torch.cos(0.7 * torch.arange(float(p.numel()))).reshape(p.shape) + 0.05
        optimizer = build_optimizer(cfg["optim"], model)
        scheduler = build_scheduler(cfg["sched"], optimizer)
        logger = StepLogger(2)
        trainer = Trainer(model, nn.CrossEntropyLoss(label_smoothing=0.1), optimizer, scheduler, list(data()), [logger])
        trainer.fit(2)
        print(model.num_parameters, model.calls.item(), logger.rows)
        saved = torch.load("best.pt")
        print(saved["step"], len(saved["model"]))


main()
