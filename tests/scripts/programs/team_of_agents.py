# also: nnx
import torch
import torch.nn as nn


class Agent(nn.Module):
    def __init__(self, obs, k):
        super(Agent, self).__init__()
        self.q = nn.Linear(obs, 2)
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i + k).reshape(p.shape) * 0.3)
        self.opt = torch.optim.RMSprop(self.q.parameters(), lr=0.01)
        self.steps = 0

    def forward(self, x):
        return self.q(x)

    def update(self, x, target):
        loss = ((self(x).max(1)[0] - target) ** 2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.steps += 1
        return loss.item()


class Team(nn.Module):
    def __init__(self, names):
        super(Team, self).__init__()
        self.agents = nn.ModuleDict({name: Agent(3, i) for i, name in enumerate(names)})

    def forward(self, obs):
        return {name: agent(obs) for name, agent in self.agents.items()}

    def update(self, obs, targets):
        return [self.agents[name].update(obs, targets[name]) for name in self.agents]


team = Team(["a", "b"])
obs = torch.sin(torch.arange(12.0)).reshape(4, 3)
for _ in range(3):
    print(team.update(obs, {"a": 0.5, "b": torch.cos(torch.arange(4.0))}))
print({k: v.sum().item() for k, v in team(obs).items()}, team.agents["a"].steps)
