import torch


def train(net, batches, optimizer):
    kept = {}

    def keep(module, inputs, output):
        kept[module] = output
        return output * 2

    handle = net.fc.register_forward_hook(keep)  # T2J602
    for x in batches:
        optimizer.zero_grad()
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
    handle.remove()
    return kept


def train_until(net, batches, optimizer):
    kept = []

    def keep(module, inputs, output):
        kept.append(output)
        return output * 2

    for x in batches:
        hooks = [net.fc.register_forward_hook(keep)]  # T2J602
        if net(x).sum().item() > 10:
            break
        for hook in hooks:
            hook.remove()
    for x in batches:
        optimizer.zero_grad()
        loss = net(x).sum()
        loss.backward()
        optimizer.step()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


model = Net()
sgd = torch.optim.SGD(model.parameters(), lr=0.1)
train(model, [torch.ones(1, 2)], sgd)
train_until(model, [torch.ones(1, 2)], sgd)
