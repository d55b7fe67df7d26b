# also: nnx, linen
# Agents keep a log-probability and a value in fields when they act, for the loss of the method that learns.
import numpy as np
import torch as T
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class ActorCriticNetwork(nn.Module):
    def __init__(self, lr, input_dims, n_actions, fc1_dims=16, fc2_dims=16):
        super(ActorCriticNetwork, self).__init__()
        self.fc1 = nn.Linear(*input_dims, fc1_dims)
        self.fc2 = nn.Linear(fc1_dims, fc2_dims)
        self.pi = nn.Linear(fc2_dims, n_actions)
        self.v = nn.Linear(fc2_dims, 1)
        self.optimizer = optim.Adam(self.parameters(), lr=lr)
        self.device = T.device('cuda:0' if T.cuda.is_available() else 'cpu')
        self.to(self.device)

    def forward(self, state):
        x = F.relu(self.fc1(state))
        x = F.relu(self.fc2(x))
        pi = self.pi(x)
        v = self.v(x)
        return (pi, v)


class Agent():
    def __init__(self, lr, input_dims, fc1_dims, fc2_dims, n_actions, gamma=0.99):
        self.gamma = gamma
        self.lr = lr
        self.fc1_dims = fc1_dims
        self.fc2_dims = fc2_dims
        self.actor_critic = ActorCriticNetwork(lr, input_dims, n_actions, fc1_dims, fc2_dims)
        self.log_prob = None

    def choose_action(self, observation):
        state = T.tensor([observation], dtype=T.float).to(self.actor_critic.device)
        probabilities, _ = self.actor_critic.forward(state)
        probabilities = F.softmax(probabilities, dim=1)
        action_probs = T.distributions.Categorical(probabilities)
        action = probabilities.argmax(dim=1)
        log_prob = action_probs.log_prob(action)
        self.log_prob = log_prob
        return action.item()

    def learn(self, state, reward, state_, done):
        self.actor_critic.optimizer.zero_grad()
        state = T.tensor([state], dtype=T.float).to(self.actor_critic.device)
        state_ = T.tensor([state_], dtype=T.float).to(self.actor_critic.device)
        reward = T.tensor(reward, dtype=T.float).to(self.actor_critic.device)
        _, critic_value = self.actor_critic.forward(state)
        _, critic_value_ = self.actor_critic.forward(state_)
        delta = reward + self.gamma * critic_value_ * (1 - int(done)) - critic_value
        actor_loss = -self.log_prob * delta
        critic_loss = delta**2
        (actor_loss + critic_loss).backward()
        self.actor_critic.optimizer.step()


class Env:
    def __init__(self):
        self.rng = np.random.default_rng(0)

    def reset(self):
        self.t = 0
        self.s = self.rng.standard_normal(4).astype(np.float32)
        return self.s

    def step(self, a):
        self.t += 1
        self.s = np.tanh(self.s + (a - 0.5) * np.array([0.1, -0.2, 0.3, 0.1], dtype=np.float32))
        return self.s, float(self.s[0]), self.t >= 5, {}


if __name__ == '__main__':
    T.manual_seed(0)
    agent = Agent(lr=5e-3, input_dims=[4], n_actions=2, gamma=0.99, fc1_dims=16, fc2_dims=16)
    with T.no_grad():
        for i, p in enumerate(agent.actor_critic.parameters()):
            p.copy_(T.linspace(-0.5, 0.5 + 0.1 * i, p.numel()).reshape(p.shape))
    env = Env()
    scores = []
    for i in range(6):
        done = False
        observation = env.reset()
        score = 0
        while not done:
            action = agent.choose_action(observation)
            observation_, reward, done, info = env.step(action)
            score += reward
            agent.learn(observation, reward, observation_, done)
            observation = observation_
        scores.append(score)
        print('episode', i, 'score %.4f' % score)
    for p in agent.actor_critic.parameters():
        print(float(p.sum()))
