"""What all trainers do: they keep a model and its optimizer, of which a checkpoint may be read at once."""

import torch


class BaseTrainer:
    def __init__(self, model, optimizer, path, resume=False):
        self.path = path
        self.model = model
        self.optimizer = optimizer
        self.start = 1
        if resume:
            self._resume(path)

    def _train_epoch(self, epoch):
        raise NotImplementedError

    def train(self):
        for epoch in range(self.start, 4):
            print("%.4f" % self._train_epoch(epoch))
        torch.save(
            {"state": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": epoch}, self.path
        )

    def _resume(self, path):
        checkpoint = torch.load(path)
        self.start = checkpoint["epoch"] - 1
        self.model.load_state_dict(checkpoint["state"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
