# also: nnx, linen
"""One `backward()` for networks with optimizers of their own: what one of them has computed is kept in a field."""

import numpy as np
import torch as T
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


def fill(m):
    with T.no_grad():
        for p in m.parameters():
            p.copy_(T.linspace(-0.5, 0.7, p.numel()).view_as(p))


class GenericNetwork(nn.Module):
    def __init__(self, alpha, input_dims, fc1_dims, n_actions):
        super(GenericNetwork, self).__init__()
        self.fc1 = nn.Linear(*input_dims, fc1_dims)
        self.fc3 = nn.Linear(fc1_dims, n_actions)
        self.optimizer = optim.Adam(self.parameters(), lr=alpha)
        self.device = T.device('cuda:0' if T.cuda.is_available() else 'cpu')
        self.to(self.device)

    def forward(self, observation):
        state = T.Tensor(observation).to(self.device)
        x = F.relu(self.fc1(state))
        return self.fc3(x)


class Agent(object):
    def __init__(self, alpha, beta, input_dims, gamma=0.99, layer1_size=16, n_actions=2):
        self.gamma = gamma
        self.actor = GenericNetwork(alpha, input_dims, layer1_size, n_actions=n_actions)
        self.critic = GenericNetwork(beta, input_dims, layer1_size, n_actions=1)
        self.log_probs = None

    def choose_action(self, observation):
        probabilities = F.softmax(self.actor.forward(observation), dim=0)
        action_probs = T.distributions.Categorical(probabilities)
        action = probabilities.argmax()
        self.log_probs = action_probs.log_prob(action)
        return action.item()

    def learn(self, state, reward, new_state, done):
        self.actor.optimizer.zero_grad()
        self.critic.optimizer.zero_grad()
        critic_value_ = self.critic.forward(new_state)
        critic_value = self.critic.forward(state)
        reward = T.tensor(reward, dtype=T.float).to(self.actor.device)
        delta = reward + self.gamma * critic_value_ * (1 - int(done)) - critic_value
        actor_loss = -self.log_probs * delta
        critic_loss = delta**2
        (actor_loss + critic_loss).backward()
        self.actor.optimizer.step()
        self.critic.optimizer.step()


if __name__ == '__main__':
    T.manual_seed(0)
    rng = np.random.RandomState(0)
    agent = Agent(0.01, 0.02, [4])
    fill(agent.actor)
    fill(agent.critic)
    for i in range(3):
        s = rng.randn(4).astype(np.float32)
        for t in range(5):
            a = agent.choose_action(s)
            s_ = (s * 0.9 + 0.1 * a).astype(np.float32)
            r = float(s_.sum())
            agent.learn(s, r, s_, t == 4)
            s = s_
        print(i, a, s.sum())
    print(sum(p.sum().item() for p in agent.actor.parameters()), sum(p.sum().item() for p in agent.critic.parameters()))
