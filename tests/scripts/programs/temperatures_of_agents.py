# also: nnx
"""Tensors in fields that are moved before they ask for gradients, and go into losses by way of a property."""

import numpy as np
import torch
import torch.nn as nn


class Agent:
    def __init__(self, device, init_temperature, lr):
        self.device = torch.device(device)
        self.actor = nn.Linear(3, 2).to(self.device)
        for p in self.actor.parameters():
            nn.init.constant_(p, 0.2)
        self.log_alpha = torch.tensor(np.log(init_temperature)).to(self.device)
        self.log_alpha.requires_grad = True
        self.target_entropy = -2
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=lr)
        self.log_alpha_optimizer = torch.optim.Adam([self.log_alpha], lr=lr, betas=[0.9, 0.999])

    @property
    def alpha(self):
        return self.log_alpha.exp()

    def update_actor_and_alpha(self, obs):
        log_prob = self.actor(obs).sum(-1, keepdim=True)
        actor_loss = (self.alpha.detach() * log_prob - obs.mean()).mean()
        self.actor_optimizer.zero_grad()
        actor_loss.backward()
        self.actor_optimizer.step()
        self.log_alpha_optimizer.zero_grad()
        alpha_loss = (self.alpha * (-log_prob - self.target_entropy).detach()).mean()
        alpha_loss.backward()
        self.log_alpha_optimizer.step()
        return actor_loss.item(), alpha_loss.item()


agent = Agent("cpu", 0.1, 0.01)
obs = torch.arange(12.0).view(4, 3) / 12
for i in range(3):
    print(*agent.update_actor_and_alpha(obs), agent.alpha.item())
