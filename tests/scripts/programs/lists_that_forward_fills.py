# also: nnx, linen
# A module keeps what its forward computes, in lists; methods of its own compute the loss of them and empty them.
import torch, torch.nn as nn, torch.optim as optim
import torch.nn.functional as F
from torch.distributions import Categorical
class ActorCritic(nn.Module):
    def __init__(self):
        super(ActorCritic, self).__init__()
        self.affine = nn.Linear(8, 32)
        self.action_layer = nn.Linear(32, 4)
        self.value_layer = nn.Linear(32, 1)
        self.logprobs = []
        self.state_values = []
        self.rewards = []
    def forward(self, state):
        state = torch.from_numpy(state).float()
        state = F.relu(self.affine(state))
        state_value = self.value_layer(state)
        action_probs = F.softmax(self.action_layer(state), dim=-1)
        action_distribution = Categorical(action_probs)
        action = action_probs.argmax()
        self.logprobs.append(action_distribution.log_prob(action))
        self.state_values.append(state_value)
        return action.item()
    def calculateLoss(self, gamma=0.99):
        rewards = []
        dis_reward = 0
        for reward in self.rewards[::-1]:
            dis_reward = reward + gamma * dis_reward
            rewards.insert(0, dis_reward)
        rewards = torch.tensor(rewards)
        rewards = (rewards - rewards.mean()) / (rewards.std())
        loss = 0
        for logprob, value, reward in zip(self.logprobs, self.state_values, rewards):
            advantage = reward - value.item()
            action_loss = -logprob * advantage
            value_loss = F.smooth_l1_loss(value, reward.unsqueeze(0))
            loss += (action_loss + value_loss)
        return loss
    def clearMemory(self):
        del self.logprobs[:]
        del self.state_values[:]
        del self.rewards[:]
import numpy as np
class Env:
    def reset(self):
        self.t = 0
        return np.ones(8) * 0.1
    def step(self, a):
        self.t += 1
        return np.linspace(-1, 1, 8) * 0.1 * self.t, float((self.t + a) % 3), self.t >= 6, {}
def train():
    torch.manual_seed(543)
    env = Env()
    policy = ActorCritic()
    with torch.no_grad():
        for p in policy.parameters(): p.copy_(torch.linspace(-0.3, 0.4, p.numel()).reshape(p.shape))
    optimizer = optim.Adam(policy.parameters(), lr=0.02, betas=(0.9, 0.999))
    running_reward = 0
    for i_episode in range(0, 4):
        state = env.reset()
        for t in range(10000):
            action = policy(state)
            state, reward, done, _ = env.step(action)
            policy.rewards.append(reward)
            running_reward += reward
            if done:
                break
        optimizer.zero_grad()
        loss = policy.calculateLoss(0.99)
        loss.backward()
        optimizer.step()
        policy.clearMemory()
        print(i_episode, running_reward, round(loss.item(), 3))
    print(policy.affine.weight.sum().item(), policy.value_layer.bias.item())
if __name__ == '__main__':
    train()
