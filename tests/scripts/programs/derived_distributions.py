# also: linen
"""Classes that derive from distributions of torch: methods that are overridden, `super()`, divergences, tests of classes."""

import torch
from torch.distributions import Bernoulli, Normal, kl_divergence


class FixedCategorical(torch.distributions.Categorical):
    def sample(self):
        return super().sample().unsqueeze(-1)

    def log_probs(self, actions):
        return super().log_prob(actions.squeeze(-1)).view(actions.size(0), -1).sum(-1).unsqueeze(-1)

    def mode(self):
        return self.probs.argmax(dim=-1, keepdim=True)


class FixedNormal(torch.distributions.Normal):
    def log_probs(self, actions):
        return super().log_prob(actions).sum(-1, keepdim=True)

    def entropy(self):
        return super().entropy().sum(-1)

    def mode(self):
        return self.mean


class DiagGaussian(Normal):
    def log_prob(self, value):
        return super().log_prob(value).sum(-1)


logits = torch.arange(6.0).reshape(2, 3)
d = FixedCategorical(logits=logits)
print(d.log_probs(torch.tensor([[0], [2]])).sum().item())
print(d.mode().tolist())
print(tuple(d.sample().shape))
n = FixedNormal(torch.zeros(2, 3), torch.ones(2, 3) * 0.5)
print(n.log_probs(torch.ones(2, 3)).sum().item(), n.entropy().sum().item(), n.mode().sum().item())
g = DiagGaussian(torch.zeros(2, 3), torch.ones(2, 3) * 0.5)
print(g.log_prob(torch.ones(2, 3)).sum().item(), g.entropy().sum().item())


class FixedBernoulli(Bernoulli):
    def log_probs(self, actions):
        return super().log_prob(actions).view(actions.size(0), -1).sum(-1).unsqueeze(-1)

    def mode(self):
        return torch.gt(self.probs, 0.5).float()


h = FixedBernoulli(logits=torch.tensor([[0.3, -0.2]]))
print(
    h.log_probs(torch.tensor([[1.0, 0.0]])).item(), h.entropy().sum().item(), h.mode().tolist(), h.variance.sum().item()
)
other = DiagGaussian(torch.ones(2, 3), torch.ones(2, 3) * 2)
print(kl_divergence(g, other).sum().item(), g.stddev.sum().item(), g.cdf(torch.ones(2, 3)).sum().item())
print(isinstance(g, Normal), isinstance(h, Normal), isinstance(h, Bernoulli))
g.loc = g.loc + 1
print(g.log_prob(torch.ones(2, 3)).sum().item(), g.mean.sum().item())
