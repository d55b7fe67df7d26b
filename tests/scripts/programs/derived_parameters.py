"""Parameters of a distribution that classes which derive from it read by `super()`, and set before it is made."""

import torch
from torch.distributions import Bernoulli, Categorical


class Soft(Categorical):
    def __init__(self, logits, temperature=1.0):
        self.logits = logits
        self.temperature = temperature
        super().__init__(logits=logits / temperature)

    @property
    def best(self):
        return super().probs.max(-1).values

    def sharp(self):
        return super().logits * 2 + self.logits


d = Soft(torch.tensor([0.5, 1.0, -1.0]), 2.0)
print(d.best.item(), d.sharp().sum().item(), d.probs.tolist(), d.mode.item())


class Coin(Bernoulli):
    def heads(self):
        return super().probs + super().mean


c = Coin(torch.tensor([0.3, 0.6]))
print(c.heads().sum().item(), c.log_prob(torch.tensor([1.0, 0.0])).sum().item())
