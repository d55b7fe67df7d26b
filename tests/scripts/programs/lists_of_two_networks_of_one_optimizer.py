# also: nnx, linen
"""Two networks with one optimizer, what both computed kept in lists."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


class Net(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.a = nn.Linear(n_in, 8)
        self.b = nn.Linear(8, n_out)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


actor, critic = Net(3, 2), Net(3, 1)
fill(actor)
fill(critic)
opt = optim.Adam(list(actor.parameters()) + list(critic.parameters()), lr=0.01)
rng = np.random.RandomState(0)
for episode in range(4):
    log_probs, values, rewards = [], [], []
    s = rng.randn(3)
    for t in range(6):
        state = torch.from_numpy(s).float().unsqueeze(0)
        dist = torch.distributions.Categorical(F.softmax(actor(state), dim=1))
        action = dist.probs.argmax(dim=1)
        log_probs.append(dist.log_prob(action))
        values.append(critic(state).squeeze())
        s = s * 0.9 + 0.1 * action.item()
        rewards.append(float(s.sum()))
    returns = torch.tensor(rewards)
    adv = returns - torch.stack(values)
    loss = -(torch.cat(log_probs) * adv.detach()).mean() + adv.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(episode, loss.item())
print(sum(p.sum().item() for p in actor.parameters()), sum(p.sum().item() for p in critic.parameters()))
