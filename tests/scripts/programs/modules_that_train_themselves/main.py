import copy
import os
import tempfile

import torch
from networks import Actor, Critic, fill

folder = tempfile.mkdtemp()


class Agent:
    def __init__(self, gamma=0.9):
        self.gamma = gamma
        self.count = 0
        self.critic = Critic([3, 4, 2], 0.01, os.path.join(folder, "critic"))
        self.target = Critic([3, 4, 2], lr=0.01)

    def learn(self, states, actions, rewards):
        self.critic.optimizer.zero_grad()
        states = states.to(self.critic.device)
        chosen = self.critic.forward(states)[torch.arange(len(actions)), actions]
        with torch.no_grad():
            goals = rewards + self.gamma * self.target(states).max(dim=1)[0]
        loss = self.critic.loss(chosen, goals)
        loss.backward()
        self.critic.optimizer.step()
        self.count += 1
        return loss.item()


agent = Agent()
fill(agent.critic)
fill(agent.target, 0.1)
actor = Actor(width=5)
fill(actor)
for step in range(4):
    states = torch.linspace(-1, 1, 12).reshape(4, 3) * (1 + step)
    print(agent.learn(states, torch.tensor([0, 1, 1, 0]), torch.tensor([1.0, 0.0, 0.5, -1.0])))
    agent.critic.soften(agent.target, 0.1)
    for row in states:
        actor.put(row.sin())
    print(actor.learn(agent.critic), actor.log_alpha.item(), actor.steps, len(actor.data))
agent.critic.cool()
print(agent.critic.act(torch.tensor([0.1, 0.2, 0.3])), agent.critic.epsilon, agent.critic.sizes)
agent.critic.save()
kept = copy.deepcopy(actor)
agent.critic.load()
print(agent.target(states).sum().item(), agent.critic(states).sum().item())
print(kept.log_alpha.item(), kept.steps)
actor.eval()
print(actor(states).sum().item(), actor.norm.running_mean.sum().item())
print(sorted(actor.state_dict()), sum(p.numel() for p in actor.parameters()))
