import torch


def features(net, x):
    with torch.no_grad():
        y = net(x)
    return y * 2


@torch.no_grad()
def soft_labels(net, x):
    return torch.softmax(net(x), dim=1)


def targets(net, x):
    return soft_labels(net, x) + 0.1


def scale_of(values):
    with torch.no_grad():
        return values.abs().mean()


class Teacher:
    def __init__(self, net):
        self.net = net

    @torch.no_grad()
    def distances(self, x):
        return (self.net(x) ** 2).sum(1, keepdim=True)
