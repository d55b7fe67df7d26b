# also: nnx, linen
"""Actor and critic whose policy keeps named tuples of each round; the loss reads numbers of them, and minibatches are columns."""
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

Saved = namedtuple("Saved", ["log_prob", "value"])
Transition = namedtuple("Transition", "state action reward, done")


class Corridor:
    def reset(self):
        self.round, self.position = 0, torch.tensor([0.1, -0.2, 0.3])
        return self.position

    def step(self, action):
        self.round += 1
        self.position = self.position * 0.9 + (0.1 if action == 1 else -0.1) * torch.tensor([1.0, 2.0, -1.0])
        return self.position, float(1 - abs(self.position[0])), self.round >= 5


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(3, 8)
        self.action_head = nn.Linear(8, 2)
        self.value_head = nn.Linear(8, 1)
        self.saved = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


model, env = Policy(), Corridor()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel()).float() * (0.7 + i)).view_as(p) * 0.3)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)
memory = []


def select_action(state):
    probs, value = model(state)
    action = probs.argmax()
    model.saved.append(Saved(Categorical(probs).log_prob(action), value))
    return action.item()


def finish_episode():
    total, returns = 0, []
    for r in model.rewards[::-1]:
        total = r + 0.99 * total
        returns.insert(0, total)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    policy_losses, value_losses = [], []
    for (log_prob, value), R in zip(model.saved, returns):
        advantage = R - value.item()
        scale = 1.0 if value > 0.1 else 0.5
        policy_losses.append(-log_prob * advantage * scale)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved[:]
    return loss.item()


for episode in range(3):
    state = env.reset()
    for _ in range(10):
        action = select_action(state)
        following, reward, done = env.step(action)
        memory.append(Transition(state, torch.tensor([[action]]), reward, done=done))
        model.rewards.append(reward)
        state = following
        if done:
            break
    print(f"{finish_episode():.5f}")

batch = Transition(*zip(*memory))
states, actions = torch.stack(batch.state), torch.cat(batch.action)
alive = torch.tensor([not done for done in batch.done])
print(states.mean(0).tolist(), actions.flatten().tolist(), alive.sum().item(), round(sum(batch.reward), 4))
target = torch.tensor(batch.reward)
probs, value = model(states)
chosen = probs.gather(1, actions).log().squeeze(1)
loss = F.mse_loss(value.squeeze(1)[alive], target[alive]) - chosen[alive].mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
print(round(loss.item(), 5), round(memory[0].reward, 4), memory[3].state.tolist())
