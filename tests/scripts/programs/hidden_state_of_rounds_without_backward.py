# flagged: T2J500
import torch
import torch.nn as nn

net = nn.RNNCell(3, 4)
head = nn.Linear(4, 1)
nn.init.constant_(net.weight_ih, 0.1)
nn.init.constant_(head.weight, 0.2)
opt = torch.optim.Adam([*net.parameters(), *head.parameters()], lr=0.02)
seq = torch.cos(torch.arange(72, dtype=torch.float32)).view(8, 3, 3)
h = torch.zeros(3, 4)
for t in range(8):
    h = net(seq[t], h)
    loss = head(h).pow(2).mean()
    if t % 3 == 2:
        continue
    opt.zero_grad()
    loss.backward()
    opt.step()
    h = h.detach()
    print(t, f"{loss.item():.4f}")
