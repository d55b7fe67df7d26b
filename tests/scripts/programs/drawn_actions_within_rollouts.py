# also: nnx, linen
"""Actor and critic that are rolled out with actions that they draw, and tested on the way by a function that draws, too."""

import numpy as np
import torch
from torch import nn, optim
from torch.distributions import Categorical
torch.manual_seed(0)
class Envs:
    def __init__(self, n):
        self.n, self.t = n, 0
    def reset(self):
        self.t = 0
        return np.zeros((self.n, 3), dtype=np.float32)
    def step(self, a):
        self.t += 1
        return np.full((self.n, 3), 0.1 * self.t, dtype=np.float32), np.ones(self.n, dtype=np.float32) * self.t, np.zeros(self.n), {}
envs = Envs(4)
env = Envs(1)
class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
        self.actor = nn.Sequential(nn.Linear(3, 2), nn.Softmax(dim=1))
    def forward(self, x):
        return Categorical(logits=20 * (self.actor(x) + torch.tensor([5.0, -5.0]))), self.critic(x)
def test_env():
    state = env.reset()
    total = 0
    for _ in range(3):
        state = torch.FloatTensor(state)
        dist, _ = model(state)
        next_state, reward, done, _ = env.step(dist.sample().cpu().numpy()[0])
        state = next_state
        total += reward
    return total
def compute_returns(next_value, rewards, masks, gamma=0.99):
    R = next_value
    returns = []
    for step in reversed(range(len(rewards))):
        R = rewards[step] + gamma * R * masks[step]
        returns.insert(0, R)
    return returns
model = ActorCritic()
for p in model.parameters():
    p.data.fill_(0.1)
optimizer = optim.Adam(model.parameters())
frame_idx = 0
test_rewards = []
state = envs.reset()
while frame_idx < 12:
    log_probs = []
    values = []
    rewards = []
    masks = []
    entropy = 0
    for _ in range(3):
        state = torch.FloatTensor(state)
        dist, value = model(state)
        action = dist.sample()
        next_state, reward, done, _ = envs.step(action.cpu().numpy())
        log_prob = dist.log_prob(action)
        entropy += dist.entropy().mean()
        log_probs.append(log_prob)
        values.append(value)
        rewards.append(torch.FloatTensor(reward).unsqueeze(1))
        masks.append(torch.FloatTensor(1 - done).unsqueeze(1))
        state = next_state
        frame_idx += 1
        if frame_idx % 4 == 0:
            test_rewards.append(np.mean([test_env() for _ in range(2)]))
            print(frame_idx, test_rewards[-1])
    next_state = torch.FloatTensor(next_state)
    _, next_value = model(next_state)
    returns = compute_returns(next_value, rewards, masks)
    log_probs = torch.cat(log_probs)
    returns = torch.cat(returns).detach()
    values = torch.cat(values)
    advantage = returns - values
    actor_loss = -(log_probs * advantage.detach()).mean()
    critic_loss = advantage.pow(2).mean()
    loss = actor_loss + 0.5 * critic_loss - 0.001 * entropy
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(model(torch.ones(1, 3))[1].item())
