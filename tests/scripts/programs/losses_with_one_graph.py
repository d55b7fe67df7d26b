"""Two losses of one forward pass: `retain_graph=True` keeps it for the second, the gradients add up."""

import torch
import torch.nn as nn


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.policy = nn.Linear(4, 2)
        self.value = nn.Linear(4, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return torch.log_softmax(self.policy(h), dim=-1), self.value(h).squeeze(-1)


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


agent = Agent()
fill(agent)
optimizer = torch.optim.RMSprop(agent.parameters(), lr=0.02)
X = torch.linspace(-1, 1, 36).view(6, 2, 3)
for i, x in enumerate(X):
    log_p, value = agent(x)
    wanted = torch.full((2,), 0.1 * i)
    policy_loss = -(log_p[:, 0] * (wanted - value.detach())).mean()
    optimizer.zero_grad()
    policy_loss.backward(retain_graph=True)
    value_loss = (wanted - value).pow(2).mean()
    entropy = -(log_p.exp() * log_p).sum(-1).mean()
    value_loss.backward(retain_graph=True)
    (-0.01 * entropy).backward()
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    optimizer.step()
    print(round(policy_loss.item(), 4), round(value_loss.item(), 4), round(entropy.item(), 4))
print([round(v, 4) for v in agent.body.weight.flatten().tolist()])
