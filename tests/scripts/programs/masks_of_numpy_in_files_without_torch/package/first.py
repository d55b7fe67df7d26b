from torch import nn


class Margin(nn.Module):
    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def forward(self, output, target):
        return (output[:, 0] - self.margin * target).pow(2).mean()


class Sums(nn.Module):
    def forward(self, a, b):
        return {"sum": a + b, "n": 2}


def evaluate(model, loss_fn, x, target):
    outputs = (model(x), target)
    return loss_fn(*outputs).item()


def add_up(net, batches):
    net.eval()
    total = 0
    for data in batches:
        outputs = net(*data)
        if len(outputs) == 2:
            total += outputs["sum"].sum().item()
    return total
