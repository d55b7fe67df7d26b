# also: nnx, linen
# A number is stored where a tensor says whose type nobody knows: it may be a mask, in compiled steps too.
import numpy as np
import torch as T
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class ReplayBuffer():
    def __init__(self, max_size, input_shape):
        self.mem_size = max_size
        self.mem_cntr = 0
        self.state_memory = np.zeros((self.mem_size, *input_shape), dtype=np.float32)
        self.new_state_memory = np.zeros((self.mem_size, *input_shape), dtype=np.float32)
        self.action_memory = np.zeros(self.mem_size, dtype=np.int64)
        self.reward_memory = np.zeros(self.mem_size, dtype=np.float32)
        self.terminal_memory = np.zeros(self.mem_size, dtype=bool)

    def store_transition(self, state, action, reward, state_, done):
        index = self.mem_cntr % self.mem_size
        self.state_memory[index] = state
        self.new_state_memory[index] = state_
        self.action_memory[index] = action
        self.reward_memory[index] = reward
        self.terminal_memory[index] = done
        self.mem_cntr += 1

    def sample_buffer(self, batch_size):
        max_mem = min(self.mem_cntr, self.mem_size)
        batch = np.random.RandomState(max_mem).choice(max_mem, batch_size, replace=False)
        return (self.state_memory[batch], self.action_memory[batch], self.reward_memory[batch],
                self.new_state_memory[batch], self.terminal_memory[batch])


class DuelingDeepQNetwork(nn.Module):
    def __init__(self, lr, n_actions, name, input_dims, chkpt_dir):
        super(DuelingDeepQNetwork, self).__init__()
        self.checkpoint_dir = chkpt_dir
        self.fc1 = nn.Linear(*input_dims, 16)
        self.V = nn.Linear(16, 1)
        self.A = nn.Linear(16, n_actions)
        self.optimizer = optim.Adam(self.parameters(), lr=lr)
        self.loss = nn.MSELoss()
        self.device = T.device('cuda:0' if T.cuda.is_available() else 'cpu')
        self.to(self.device)

    def forward(self, state):
        flat1 = F.relu(self.fc1(state))
        V = self.V(flat1)
        A = self.A(flat1)
        return V, A


class Agent():
    def __init__(self, gamma, epsilon, lr, n_actions, input_dims, mem_size, batch_size, eps_min=0.01,
                 eps_dec=5e-7, replace=1000, chkpt_dir='tmp/dueling_ddqn'):
        self.gamma = gamma
        self.epsilon = epsilon
        self.lr = lr
        self.n_actions = n_actions
        self.input_dims = input_dims
        self.batch_size = batch_size
        self.eps_min = eps_min
        self.eps_dec = eps_dec
        self.action_space = [i for i in range(self.n_actions)]
        self.learn_step_counter = 0
        self.replace_target_cnt = replace
        self.memory = ReplayBuffer(mem_size, input_dims)
        self.q_eval = DuelingDeepQNetwork(self.lr, self.n_actions, 'eval', self.input_dims, chkpt_dir)
        self.q_next = DuelingDeepQNetwork(self.lr, self.n_actions, 'next', self.input_dims, chkpt_dir)

    def choose_action(self, observation):
        state = T.tensor([observation], dtype=T.float).to(self.q_eval.device)
        _, advantage = self.q_eval.forward(state)
        return T.argmax(advantage).item()

    def store_transition(self, state, action, reward, state_, done):
        self.memory.store_transition(state, action, reward, state_, done)

    def replace_target_network(self):
        if self.learn_step_counter % self.replace_target_cnt == 0:
            self.q_next.load_state_dict(self.q_eval.state_dict())

    def decrement_epsilon(self):
        self.epsilon = self.epsilon - self.eps_dec if self.epsilon > self.eps_min else self.eps_min

    def learn(self):
        if self.memory.mem_cntr < self.batch_size:
            return
        self.q_eval.optimizer.zero_grad()
        self.replace_target_network()
        state, action, reward, new_state, done = self.memory.sample_buffer(self.batch_size)
        states = T.tensor(state).to(self.q_eval.device)
        rewards = T.tensor(reward).to(self.q_eval.device)
        dones = T.tensor(done).to(self.q_eval.device)
        actions = T.tensor(action).to(self.q_eval.device)
        states_ = T.tensor(new_state).to(self.q_eval.device)
        indices = np.arange(self.batch_size)
        V_s, A_s = self.q_eval.forward(states)
        V_s_, A_s_ = self.q_next.forward(states_)
        V_s_eval, A_s_eval = self.q_eval.forward(states_)
        q_pred = T.add(V_s, (A_s - A_s.mean(dim=1, keepdim=True)))[indices, actions]
        q_next = T.add(V_s_, (A_s_ - A_s_.mean(dim=1, keepdim=True)))
        q_eval = T.add(V_s_eval, (A_s_eval - A_s_eval.mean(dim=1, keepdim=True)))
        max_actions = T.argmax(q_eval, dim=1)
        q_next[dones] = 0.0
        q_target = rewards + self.gamma * q_next[indices, max_actions]
        loss = self.q_eval.loss(q_target, q_pred).to(self.q_eval.device)
        loss.backward()
        self.q_eval.optimizer.step()
        self.learn_step_counter += 1
        self.decrement_epsilon()


agent = Agent(gamma=0.99, epsilon=1.0, lr=5e-3, n_actions=3, input_dims=[4], mem_size=50, batch_size=4, eps_dec=1e-3, replace=5)
with T.no_grad():
    for p in agent.q_eval.parameters():
        p.copy_(T.linspace(-0.3, 0.4, p.numel()).reshape(p.shape))
rng = np.random.RandomState(5)
for i in range(3):
    obs = rng.randn(4)
    score = 0
    for t in range(6):
        a = agent.choose_action(obs)
        new = np.tanh(obs + 0.2 * (a - 1))
        agent.store_transition(obs, a, float(new.sum()), new, int(t == 5))
        agent.learn()
        score += float(new.sum())
        obs = new
    print(i, 'score %.4f' % score, 'eps %.4f' % agent.epsilon)
for net in (agent.q_eval, agent.q_next):
    print(sum(p.double().pow(2).sum().item() for p in net.parameters()))


class Memory:
    def __init__(self):
        self.t = np.zeros(4, dtype=bool)
        self.n = 0

    def add(self, d):
        self.t[self.n % 4] = d
        self.n += 1

    def sample(self):
        batch = np.array([0, 2, 1, 3])
        return self.t[batch], batch


def clear(x, m, rows):
    x[m] = 0.0
    x[rows[:2]] += 1.0
    return x


memory = Memory()
for d in (0, 1, 1, 0):
    memory.add(d)
done, rows = memory.sample()
dones = T.tensor(done)
x = T.arange(12.).reshape(4, 3)
y = x.clone()
y[dones] = -1.0
print(y.tolist())
print(clear(x.clone(), dones, T.tensor(rows)).tolist())
