import copy
import torch
import torch.nn.functional as F
from torch import optim

from base import BaseAgent


class DQN(BaseAgent):
    def __init__(self, config, make):
        BaseAgent.__init__(self, config)
        self.local = make()
        self.target = copy.deepcopy(self.local)
        self.optimizer = optim.Adam(self.local.parameters(), lr=config["lr"], eps=1e-4)

    def learn(self, x, y):
        with torch.no_grad():
            target = y + 0.5 * self.target(x)
        loss = F.mse_loss(self.local(x), target)
        self.take_optimisation_step(self.optimizer, self.local, loss, self.config["clip"])
        self.soft_update(self.local, self.target, 0.1)
        return loss.item()
