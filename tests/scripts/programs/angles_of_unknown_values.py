# also: nnx
import math

import torch


class Schedule(torch.nn.Module):
    def t_to_sigma(self, t):
        return (t * math.pi / 2).tan()

    def turned(self, angle):
        return angle.deg2rad().clamp_min(0.1)

    def side(self, x):
        return (x - 0.5).sign()


schedule = Schedule()
t = torch.tensor([0.1, 0.5, 0.9])
print(schedule.t_to_sigma(t).sum().item(), schedule.turned(t * 90).sum().item(), schedule.side(t).tolist())
