"""A trainer whose epochs another file writes."""

from abc import abstractmethod

import torch


class BaseTrainer:
    def __init__(self, model, optimizer, path):
        self.model, self.optimizer, self.path = model, optimizer, path
        self.best = float("inf")
        if self.path.exists():
            self._resume()

    @abstractmethod
    def _train_epoch(self, epoch):
        raise NotImplementedError

    def train(self, epochs):
        for epoch in range(epochs):
            loss = self._train_epoch(epoch)
            self.best = min(self.best, loss)
            print(epoch, round(loss, 4))
            torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}, self.path)

    def _resume(self):
        checkpoint = torch.load(self.path)
        self.model.load_state_dict(checkpoint["model"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
