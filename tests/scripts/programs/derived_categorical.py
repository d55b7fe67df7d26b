# also: nnx
"""A policy whose distribution derives from Categorical and draws one axis more."""

import torch
import torch.nn as nn


class FixedCategorical(torch.distributions.Categorical):
    def sample(self):
        return super().sample().unsqueeze(-1)

    def log_probs(self, actions):
        return super().log_prob(actions.squeeze(-1)).view(actions.size(0), -1).sum(-1).unsqueeze(-1)

    def mode(self):
        return self.probs.argmax(dim=-1, keepdim=True)


class Head(nn.Module):
    def __init__(self, num_inputs, num_outputs):
        super(Head, self).__init__()
        self.linear = nn.Linear(num_inputs, num_outputs)
        with torch.no_grad():
            self.linear.weight.copy_(torch.arange(12.0).reshape(3, 4) / 10)
            self.linear.bias.fill_(0.1)

    def forward(self, x):
        x = self.linear(x)
        return FixedCategorical(logits=x)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Tanh()
        self.dist = Head(4, 3)

    def act(self, inputs, deterministic=False):
        dist = self.dist(self.base(inputs))
        if deterministic:
            action = dist.mode()
        else:
            action = dist.sample()
        action_log_probs = dist.log_probs(action)
        return action, action_log_probs

    def evaluate_actions(self, inputs, action):
        dist = self.dist(self.base(inputs))
        return dist.log_probs(action), dist.entropy().mean()


policy = Policy()
opt = torch.optim.Adam(policy.parameters(), lr=0.05)
x = torch.arange(8.0).reshape(2, 4) / 8
a, lp = policy.act(x, deterministic=True)
print(a.tolist(), lp.sum().item())
a, lp = policy.act(x)
print(tuple(a.shape), tuple(lp.shape))
for _ in range(3):
    logp, ent = policy.evaluate_actions(x, torch.tensor([[0], [2]]))
    loss = -logp.mean() - 0.01 * ent
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 5))
