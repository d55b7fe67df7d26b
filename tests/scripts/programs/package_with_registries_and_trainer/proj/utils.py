import torch


class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.sum = self.count = 0

    def update(self, v, n=1):
        self.sum += v * n
        self.count += n

    @property
    def avg(self):
        return self.sum / self.count


def accuracy(out, y):
    return (out.argmax(dim=1) == y).float().mean().item()


class StepLogger:
    def __init__(self, every):
        self.every = every
        self.rows = []

    def after_step(self, trainer, loss):
        if trainer.global_step % self.every == 0:
            self.rows.append((trainer.global_step, round(loss, 4), trainer.optimizer.param_groups[0]["lr"]))
