"""Losses that are computed before the steps of others, one of them of a temperature that no module holds."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.a = nn.Linear(i, 8)
        self.b = nn.Linear(8, o)

    def forward(self, *x):
        return self.b(torch.relu(self.a(torch.cat(x, 1))))


def fill(model):
    for i, p in enumerate(model.parameters()):
        p.data.copy_(torch.cos(torch.arange(p.numel()).float() * (i + 1)).view_as(p) * 0.4)
    return model


s = torch.sin(torch.arange(18.0)).view(6, 3)
a = torch.cos(torch.arange(12.0)).view(6, 2)
y = torch.linspace(-1, 1, 6).view(6, 1)

policy, q, v = fill(Net(3, 2)), fill(Net(5, 1)), fill(Net(3, 1))
log_alpha = torch.zeros(1, requires_grad=True)
oa = torch.optim.Adam([log_alpha], lr=0.1)
op = torch.optim.Adam(policy.parameters(), lr=0.01)
oq = torch.optim.Adam(q.parameters(), lr=0.01)
ov = torch.optim.Adam(v.parameters(), lr=0.01)
for _ in range(4):
    q_loss = F.mse_loss(q(s, a), y)
    v_loss = F.mse_loss(v(s), y)
    act = torch.tanh(policy(s))
    logp = -act.pow(2).sum(1, keepdim=True)
    alpha_loss = -(log_alpha.exp() * (logp + 1).detach()).mean()
    alpha = log_alpha.exp().detach()
    p_loss = (alpha * logp - act.mean(1, keepdim=True)).mean()
    oq.zero_grad()
    q_loss.backward()
    oq.step()
    ov.zero_grad()
    v_loss.backward()
    ov.step()
    oa.zero_grad()
    alpha_loss.backward()
    oa.step()
    op.zero_grad()
    p_loss.backward()
    op.step()
    print(round(q_loss.item(), 5), round(v_loss.item(), 5), round(alpha_loss.item(), 5), round(p_loss.item(), 5))
