import torch
from torch.distributions import Independent, Normal, kl_divergence


class Wide(Normal):
    def log_prob(self, value):
        return super().log_prob(value) * 2


wide = Wide(torch.zeros(3), torch.ones(3))
together = Independent(wide, 1)  # T2J201
print(kl_divergence(Normal(torch.zeros(3), torch.ones(3)), wide))  # T2J201
