# also: nnx
"""Model, optimizer and scheduler by their names; a trainer in two more files, which resumes from what it has saved."""

import logging
import tempfile
from pathlib import Path

import nets
import torch
from config import Config
from trainer import Trainer

logger = logging.getLogger("main")


def main(config, path):
    model = config.init_obj("arch", nets)
    logger.info(model)
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * number))
    x, y = torch.linspace(-1, 1, 24).reshape(6, 4), torch.linspace(0, 1, 12).reshape(6, 2)
    trained = filter(lambda p: p.requires_grad, model.parameters())
    optimizer = config.init_obj("optimizer", torch.optim, trained)
    lr_scheduler = config.init_obj("lr_scheduler", torch.optim.lr_scheduler, optimizer)
    trainer = Trainer(model, optimizer, path, [(x, y), (x * 2, y)], lr_scheduler=lr_scheduler)
    trainer.train(3)


if __name__ == "__main__":
    path = Path(tempfile.mkdtemp(), "trainer.pth")
    adam = {"type": "Adam", "args": {"lr": 0.01, "amsgrad": True}}
    step = {"type": "StepLR", "args": {"step_size": 2, "gamma": 0.5}}
    for _ in range(2):
        main(Config({"arch": {"type": "Net", "args": {"width": 6}}, "optimizer": adam, "lr_scheduler": step}), path)
