# also: nnx, linen
"""Lists that one line makes, which a loss fills item by item: an actor and its critic."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(3, 8)
        self.action_head = nn.Linear(8, 2)
        self.value_head = nn.Linear(8, 1)

    def forward(self, x):
        x = torch.relu(self.affine(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


model = ActorCritic()
for i, p in enumerate(model.parameters()):
    p.data.copy_(torch.sin(torch.arange(p.numel()) * 0.9 + i).reshape(p.shape) * 0.5)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)


def finish_episode(observations, actions, rewards):
    total, returns = 0.0, []
    for r in rewards[::-1]:
        total = r + 0.9 * total
        returns.insert(0, total)
    probs, values = model(observations)
    chosen = torch.distributions.Categorical(probs).log_prob(actions)
    policy_losses, value_losses = [], []
    for log_prob, value, goal in zip(chosen, values, torch.tensor(returns)):
        policy_losses.append(-log_prob * (goal - value.item()))
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([goal])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    return loss.item()


for episode in range(4):
    x = torch.cos(torch.arange(12.0) + episode).view(4, 3)
    print(finish_episode(x, torch.arange(4) % 2, [0.5, -0.1 * episode, 1.0, 0.2]))
