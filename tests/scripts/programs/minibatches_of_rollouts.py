import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions.categorical import Categorical


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        self.actor = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))

    def evaluate(self, x, action):
        probs = Categorical(logits=self.actor(x))
        return probs.log_prob(action), probs.entropy(), self.critic(x)


if __name__ == "__main__":
    size, half, clip = 16, 8, 0.2
    torch.manual_seed(0)
    np.random.seed(0)
    agent = Agent()
    with torch.no_grad():
        for p in agent.parameters():
            p.copy_(torch.linspace(-0.5, 0.5, p.numel()).view(p.shape))
    optimizer = optim.Adam(agent.parameters(), lr=0.01)
    obs = torch.linspace(-1, 1, size * 4).view(size, 4)
    actions = torch.arange(size) % 3
    inds = np.arange(size)
    fractions = []
    for iteration in range(3):
        np.random.shuffle(inds)
        for start in range(0, size, half):
            end = start + half
            mb = inds[start:end]
            logp, entropy, value = agent.evaluate(obs[mb], actions.long()[mb])
            ratio = logp.exp()
            with torch.no_grad():
                kl = (ratio - 1).mean()
                fractions += [((ratio - 1.0).abs() > clip).float().mean().item()]
            loss = (value.view(-1) ** 2).mean() - torch.clamp(ratio, 1 - clip, 1 + clip).mean() - entropy.mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
        print(iteration, f"{loss.item():.5f}", f"{kl.item():.5f}", f"{np.mean(fractions):.5f}")
