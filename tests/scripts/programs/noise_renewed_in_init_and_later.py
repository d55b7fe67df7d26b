# also: nnx, linen
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class NoisyLinear(nn.Module):
    def __init__(self, in_features, out_features, std_init=0.4):
        super(NoisyLinear, self).__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.std_init = std_init
        self.weight_mu = nn.Parameter(torch.FloatTensor(out_features, in_features))
        self.weight_sigma = nn.Parameter(torch.FloatTensor(out_features, in_features))
        self.register_buffer('weight_epsilon', torch.FloatTensor(out_features, in_features))
        self.bias_mu = nn.Parameter(torch.FloatTensor(out_features))
        self.bias_sigma = nn.Parameter(torch.FloatTensor(out_features))
        self.register_buffer('bias_epsilon', torch.FloatTensor(out_features))
        self.reset_parameters()
        self.reset_noise()

    def forward(self, x):
        if self.training:
            weight = self.weight_mu + self.weight_sigma.mul(self.weight_epsilon)
            bias = self.bias_mu + self.bias_sigma.mul(self.bias_epsilon)
        else:
            weight = self.weight_mu
            bias = self.bias_mu
        return F.linear(x, weight, bias)

    def reset_parameters(self):
        mu_range = 1 / math.sqrt(self.weight_mu.size(1))
        self.weight_mu.data.fill_(mu_range)
        self.weight_sigma.data.fill_(self.std_init / math.sqrt(self.weight_sigma.size(1)))
        self.bias_mu.data.fill_(-mu_range)
        self.bias_sigma.data.fill_(self.std_init / math.sqrt(self.bias_sigma.size(0)))

    def reset_noise(self):
        epsilon_in = self._scale_noise(self.in_features)
        epsilon_out = self._scale_noise(self.out_features)
        self.weight_epsilon.copy_(epsilon_out.ger(epsilon_in))
        self.bias_epsilon.copy_(self._scale_noise(self.out_features))

    def _scale_noise(self, size):
        x = torch.randn(size) * 0
        x = x + torch.arange(size).float()
        x = x.sign().mul(x.abs().sqrt())
        return x


class DQN(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.linear = nn.Linear(i, 6)
        self.noisy1 = NoisyLinear(6, 6)
        self.noisy2 = NoisyLinear(6, o)
        nn.init.constant_(self.linear.weight, 0.1)
        nn.init.constant_(self.linear.bias, 0.1)

    def forward(self, x):
        return self.noisy2(F.relu(self.noisy1(F.relu(self.linear(x)))))

    def act(self, s):
        with torch.no_grad():
            q = self.forward(s.unsqueeze(0))
            return q.max(1)[1].data[0].item()

    def reset_noise(self):
        self.noisy1.reset_noise()
        self.noisy2.reset_noise()


cur, tgt = DQN(4, 3), DQN(4, 3)
opt = torch.optim.Adam(cur.parameters(), lr=0.01)


def update_target(c, t):
    t.load_state_dict(c.state_dict())


update_target(cur, tgt)
for i in range(5):
    s = torch.sin(torch.arange(20.0) + i).view(5, 4)
    a = torch.arange(5) % 3
    q = cur(s).gather(1, a.unsqueeze(1)).squeeze(1)
    nq = tgt(s + 0.1).max(1)[0]
    loss = (q - (1 + 0.9 * nq).detach()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    cur.reset_noise()
    tgt.reset_noise()
    if i == 2:
        update_target(cur, tgt)
    print(loss.item(), cur.act(s[0]))
cur.eval()
print(cur(s).sum().item(), cur.noisy1.weight_epsilon.sum().item())
