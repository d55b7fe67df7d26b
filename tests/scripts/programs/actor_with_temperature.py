# also: linen
"""An actor whose method draws actions, two critics that judge them, and a temperature with an optimizer of its own."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.scale = nn.Linear(4, 2)
        self.register_buffer("action_scale", torch.tensor([1.0, 2.0], dtype=torch.float32))

    def forward(self, x):
        return self.fc(x), torch.tanh(self.scale(x))

    def get_action(self, x):
        mean, log_std = self(x)
        normal = torch.distributions.Normal(mean, log_std.exp())
        action = normal.rsample() * 0 + mean
        return action * self.action_scale, normal.log_prob(mean).sum(1, keepdim=True), mean


class Q(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 1)

    def forward(self, x, a):
        return self.fc(torch.cat([x, a], 1))


def filled(model, start):
    values = {k: torch.sin(torch.arange(v.numel()) * 1.3 + start).view(v.shape) for k, v in model.state_dict().items()}
    model.load_state_dict(values)
    return model


x = torch.arange(12).float().view(3, 4) / 12
if __name__ == "__main__":
    autotune = True
    device = torch.device("cpu")
    actor = Actor().to(device)
    qf1 = Q().to(device)
    qf2 = Q().to(device)
    actor = filled(actor, 0.0)
    qf1 = filled(qf1, 1.0)
    qf2 = filled(qf2, 2.0)
    actor_optimizer = torch.optim.Adam(list(actor.parameters()), lr=0.01)
    target_entropy = -2.0
    log_alpha = torch.zeros(1, requires_grad=True, device=device)
    alpha = log_alpha.exp().item()
    a_optimizer = torch.optim.Adam([log_alpha], lr=0.01)
    for step in range(3):
        for _ in range(2):
            pi, log_pi, _ = actor.get_action(x)
            qf1_pi = qf1(x, pi)
            qf2_pi = qf2(x, pi)
            min_qf_pi = torch.min(qf1_pi, qf2_pi)
            actor_loss = ((alpha * log_pi) - min_qf_pi).mean()

            actor_optimizer.zero_grad()
            actor_loss.backward()
            actor_optimizer.step()
            if autotune:
                with torch.no_grad():
                    _, log_pi, _ = actor.get_action(x)
                alpha_loss = (-log_alpha.exp() * (log_pi + target_entropy)).mean()

                a_optimizer.zero_grad()
                alpha_loss.backward()
                a_optimizer.step()
                alpha = log_alpha.exp().item()
            print(actor_loss.item(), alpha)
