import torch


class GANTrainer:
    def __init__(self, g, d, opt_g, opt_d, sched_g, sched_d):
        self.g, self.d = g, d
        self.opt_g = opt_g
        self.opt_d = opt_d
        self.sched_g = sched_g
        self.sched_d = sched_d
        self.loss = torch.nn.MSELoss()

    def rates(self):
        return self.opt_g.param_groups[0]["lr"], self.sched_d.get_last_lr()[0]

    def step(self, x, y):
        self.opt_d.zero_grad()
        fake = self.g(x)
        d_loss = self.loss(self.d(torch.cat([fake.detach(), y], 1)), y)
        d_loss.backward()
        self.opt_d.step()
        self.opt_g.zero_grad()
        g_loss = self.loss(self.d(torch.cat([self.g(x), y], 1)), y + 1)
        g_loss.backward()
        self.opt_g.step()
        self.sched_g.step()
        self.sched_d.step()
        return d_loss.item(), g_loss.item()
