# also: nnx, linen
# A learning rate that begins as a whole number on one way, and is raised by the program.
import argparse
import torch
import torch.nn as nn
from torch import optim
parser = argparse.ArgumentParser()
parser.add_argument('--learning-rate', type=float, default=0.1)
parser.add_argument('--learning-rate-schedule', type=int, default=3)
args = parser.parse_args([])
net, head = nn.Linear(3, 4), nn.Linear(4, 1)
param_list = list(net.parameters()) + list(head.parameters())
with torch.no_grad():
    for p in param_list:
        p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape))
optimiser = optim.Adam(param_list, lr=0 if args.learning_rate_schedule != 0 else args.learning_rate, eps=1e-4)
x = torch.sin(torch.arange(12.)).reshape(4, 3)
for s in range(5):
    out = head(torch.relu(net(x)))
    loss_a = out.pow(2).mean()
    loss_b = (out - 1).abs().mean()
    # Apply linearly ramping learning rate schedule
    if args.learning_rate_schedule != 0:
        for group in optimiser.param_groups:
            group['lr'] = min(group['lr'] + args.learning_rate / args.learning_rate_schedule, args.learning_rate)
    # Update model parameters
    optimiser.zero_grad()
    (loss_a + loss_b).backward()
    nn.utils.clip_grad_norm_(param_list, 1.0, norm_type=2)
    optimiser.step()
    print(loss_a.item(), loss_b.item(), optimiser.param_groups[0]['lr'])
