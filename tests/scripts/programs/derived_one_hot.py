"""A distribution that derives from OneHotCategorical, with gradients straight through its draws."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import distributions as torchd


class OneHotDist(torchd.one_hot_categorical.OneHotCategorical):
    def __init__(self, logits=None, probs=None, unimix_ratio=0.0):
        if logits is not None and unimix_ratio > 0.0:
            probs = F.softmax(logits, dim=-1)
            probs = probs * (1.0 - unimix_ratio) + unimix_ratio / probs.shape[-1]
            logits = torch.log(probs)
            super().__init__(logits=logits, probs=None)
        else:
            super().__init__(logits=logits, probs=probs)

    def mode(self):
        _mode = F.one_hot(torch.argmax(super().logits, axis=-1), super().logits.shape[-1])
        return _mode.detach() + super().logits - super().logits.detach()

    def sample(self, sample_shape=(), seed=None):
        sample = super().sample(sample_shape)
        probs = super().probs
        while len(probs.shape) < len(sample.shape):
            probs = probs[None]
        sample = sample + probs - probs.detach()
        return sample


d = OneHotDist(logits=torch.arange(6.0).reshape(2, 3) / 3, unimix_ratio=0.01)
print(d.mode().tolist())
print(d.log_prob(torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])).sum().item(), d.entropy().sum().item())
s = d.sample()
print(tuple(s.shape), round(s.sum().item(), 4), d.probs.sum().item())
x = torch.zeros(2, 3, requires_grad=True)
loss = (OneHotDist(logits=x).mode() * torch.arange(3.0)).sum()
loss.backward()
print(x.grad.tolist())
