# also: nnx, linen
# Lists of a rollout become tensors that are cut from their graphs under the same names; steps on parts of them follow.
import torch, torch.nn as nn, torch.nn.functional as F
from torch.distributions import Categorical
class PPO(nn.Module):
    def __init__(self):
        super().__init__(); self.l = nn.Linear(4, 8); self.a = nn.Linear(8, 3); self.c = nn.Linear(8, 1)
    def forward(self, x):
        x = torch.tanh(self.l(x))
        return self.a(x), self.c(x)
def main():
    model = PPO()
    with torch.no_grad():
        for i, p in enumerate(model.parameters()): p.copy_(torch.cos(torch.arange(p.numel()).float() + i).view_as(p) * 0.4)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    curr_states = torch.sin(torch.arange(8.)).view(2, 4)
    for ep in range(3):
        old_log_policies, actions, values, states, rewards, dones = [], [], [], [], [], []
        for t in range(4):
            states.append(curr_states)
            logits, value = model(curr_states)
            values.append(value.squeeze())
            policy = F.softmax(logits, dim=1)
            old_m = Categorical(policy)
            action = policy.argmax(1)
            actions.append(action)
            old_log_policies.append(old_m.log_prob(action))
            reward = torch.FloatTensor([0.5 * t, 1.0 - t]); done = torch.FloatTensor([0., float(t == 2)])
            rewards.append(reward); dones.append(done)
            curr_states = curr_states * 0.9 + 0.1
        _, next_value, = model(curr_states)
        next_value = next_value.squeeze()
        old_log_policies = torch.cat(old_log_policies).detach()
        actions = torch.cat(actions)
        values = torch.cat(values).detach()
        states = torch.cat(states)
        gae = 0
        R = []
        for value, reward, done in list(zip(values.view(4, 2), rewards, dones))[::-1]:
            gae = gae * 0.9 * 0.95
            gae = gae + reward + 0.9 * next_value.detach() * (1 - done) - value.detach()
            next_value = value
            R.append(gae + value)
        R = R[::-1]
        R = torch.cat(R).detach()
        advantages = R - values
        for i in range(2):
            indice = torch.arange(7, -1, -1)
            for j in range(2):
                idx = indice[int(j * 4): int((j + 1) * 4)]
                logits, value = model(states[idx])
                new_m = Categorical(F.softmax(logits, dim=1))
                ratio = torch.exp(new_m.log_prob(actions[idx]) - old_log_policies[idx])
                actor_loss = -torch.mean(torch.min(ratio * advantages[idx], torch.clamp(ratio, 0.8, 1.2) * advantages[idx]))
                critic_loss = F.smooth_l1_loss(R[idx], value.squeeze())
                entropy_loss = torch.mean(new_m.entropy())
                total_loss = actor_loss + critic_loss - 0.01 * entropy_loss
                optimizer.zero_grad()
                total_loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
                optimizer.step()
        print("Episode: {}. Total loss: {:.4f}".format(ep, total_loss))
    print(sum(p.sum().item() for p in model.parameters()))
main()
