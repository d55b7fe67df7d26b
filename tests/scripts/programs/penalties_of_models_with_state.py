# also: nnx, linen
import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self, p=0.0):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.drop = nn.Dropout(p)
        self.b = nn.Linear(4, 1)

    def forward(self, x):
        return self.b(self.drop(torch.tanh(self.norm(self.a(x)))))


class Trainer:
    def __init__(self, p):
        self.critic = Critic(p)
        self.optimizer = torch.optim.SGD(self.critic.parameters(), lr=0.05)
        with torch.no_grad():
            for i, p in enumerate(self.critic.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p) * 0.5)

    def penalty(self, real, fake):
        mixed = (0.5 * real + 0.5 * fake).requires_grad_(True)
        scores = self.critic(mixed)
        (gradients,) = torch.autograd.grad(scores, mixed, grad_outputs=torch.ones_like(scores), create_graph=True)
        return ((gradients.norm(2, dim=1) - 1) ** 2).mean()

    def r1(self, real):
        real.requires_grad_()
        scores = self.critic(real)
        total = scores.sum()
        (grad,) = torch.autograd.grad(outputs=total, inputs=real, create_graph=True)
        return grad.pow(2).sum(1).mean()

    def step(self, real, fake):
        loss = self.critic(fake).mean() - self.critic(real).mean() + 10 * self.penalty(real, fake) + self.r1(real)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


trainer = Trainer(0.0)
for step in range(4):
    real = torch.cos(torch.arange(12).float() + step).view(4, 3)
    fake = torch.sin(torch.arange(12).float() * 0.3 + step).view(4, 3)
    loss = trainer.step(real, fake)
    norm = trainer.critic.norm
    print(step, loss, norm.running_mean.sum().item(), norm.running_var.sum().item(), norm.num_batches_tracked.item())


def penalty(critic, real, fake):
    mixed = (0.3 * real + 0.7 * fake).requires_grad_(True)
    scores = critic(mixed)
    return torch.autograd.grad(scores.sum(), mixed, create_graph=True)[0].norm(2, dim=1).sub(1).pow(2).mean()


critic = trainer.critic
print(penalty(critic, real, fake).item(), critic.norm.running_mean.sum().item(), critic.norm.num_batches_tracked.item())
other = Trainer(0.5)
real = torch.cos(torch.arange(12).float()).view(4, 3)
print(other.step(real, real * 0.5) == other.step(real, real * 0.5))
