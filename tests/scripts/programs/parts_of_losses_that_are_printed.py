# also: nnx, linen
"""Parts of a loss in a dict that the program prints: it is a plain dict behind the step, in the order of the program."""
import torch
import torch.nn as nn
import torch.optim as optim


class MultiTask(nn.Module):
    def __init__(self, n_tasks):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.heads = nn.ModuleList([nn.Linear(8, 1) for _ in range(n_tasks)])
        self.log_vars = nn.Parameter(torch.zeros(n_tasks))

    def forward(self, x):
        h = self.body(x)
        return [head(h) for head in self.heads]

    def loss(self, outs, ys):
        total = 0
        parts = {}
        for i, (o, y) in enumerate(zip(outs, ys)):
            l = nn.functional.mse_loss(o, y)
            total = total + torch.exp(-self.log_vars[i]) * l + self.log_vars[i]
            parts[f"task{i}"] = l.item()
        return total, parts


def fill(m):
    for i, p in enumerate(m.parameters()):
        p.data.copy_(torch.cos(torch.arange(p.numel()) * 0.7 + i).view_as(p) * 0.5)


net = MultiTask(2)
fill(net)
opt = optim.AdamW([{"params": net.body.parameters(), "lr": 1e-2}, {"params": net.heads.parameters()}, {"params": [net.log_vars], "weight_decay": 0.0}], lr=5e-3)
sched = optim.lr_scheduler.LambdaLR(opt, lr_lambda=[lambda e: 0.9 ** e, lambda e: 1.0, lambda e: 0.5 ** e])
x = torch.sin(torch.arange(24.0)).view(6, 4)
ys = [x.sum(1, keepdim=True), x.prod(1, keepdim=True)]
for epoch in range(3):
    outs = net(x)
    loss, parts = net.loss(outs, ys)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    sched.step()
    print(str(parts).startswith("{"), list(parts), f"{parts}"[0])
    print(epoch, loss.item(), parts["task0"], parts["task1"], [g["lr"] for g in opt.param_groups], net.log_vars.tolist())
