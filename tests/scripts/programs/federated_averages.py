# also: nnx, linen
"""Clients train copies of a model with state, whose state dicts are averaged."""
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F


class MLP(nn.Module):
    def __init__(self, dim_in, dim_hidden, dim_out):
        super().__init__()
        self.layer_input = nn.Linear(dim_in, dim_hidden)
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout(0.0)
        self.layer_hidden = nn.Linear(dim_hidden, dim_out)
        self.bn = nn.BatchNorm1d(dim_out)

    def forward(self, x):
        x = x.flatten(1)
        x = self.layer_input(x)
        x = self.dropout(x)
        x = self.relu(x)
        return self.bn(self.layer_hidden(x))


def average(w):
    w_avg = copy.deepcopy(w[0])
    for k in w_avg.keys():
        for i in range(1, len(w)):
            w_avg[k] += w[i][k]
        w_avg[k] = torch.div(w_avg[k], len(w))
    return w_avg


class Client:
    def __init__(self, args, data):
        self.args = args
        self.loss_func = nn.CrossEntropyLoss()
        self.data = data

    def train(self, net):
        net.train()
        optimizer = torch.optim.SGD(net.parameters(), lr=self.args["lr"], momentum=0.5)
        epoch_loss = []
        for iter in range(self.args["local_ep"]):
            batch_loss = []
            for images, labels in self.data:
                net.zero_grad()
                log_probs = net(images)
                loss = self.loss_func(log_probs, labels)
                loss.backward()
                optimizer.step()
                batch_loss.append(loss.item())
            epoch_loss.append(sum(batch_loss) / len(batch_loss))
        return net.state_dict(), sum(epoch_loss) / len(epoch_loss)


args = {"lr": 0.05, "local_ep": 2, "rounds": 3, "all_clients": False}
net_glob = MLP(4, 8, 3)
for i, p in enumerate(net_glob.parameters()):
    p.data.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p) * 0.3)
users = [[(torch.cos(torch.arange(24).float() * (u + 1) + b).view(6, 2, 2), torch.arange(6) % 3) for b in range(2)] for u in range(3)]
net_glob.train()
w_glob = net_glob.state_dict()
loss_train = []
if args["all_clients"]:
    w_locals = [w_glob for i in range(3)]
for iter in range(args["rounds"]):
    loss_locals = []
    if not args["all_clients"]:
        w_locals = []
    for idx in range(3):
        local = Client(args=args, data=users[idx])
        w, loss = local.train(net=copy.deepcopy(net_glob))
        if args["all_clients"]:
            w_locals[idx] = copy.deepcopy(w)
        else:
            w_locals.append(copy.deepcopy(w))
        loss_locals.append(copy.deepcopy(loss))
    w_glob = average(w_locals)
    net_glob.load_state_dict(w_glob)
    loss_avg = sum(loss_locals) / len(loss_locals)
    print('Round {:3d}, Average loss {:.3f}'.format(iter, loss_avg))
    loss_train.append(loss_avg)
net_glob.eval()
with torch.no_grad():
    correct = 0
    for images, labels in users[0]:
        out = net_glob(images)
        correct += out.data.max(1, keepdim=True)[1].eq(labels.data.view_as(out.data.max(1, keepdim=True)[1])).long().cpu().sum()
print(correct.item(), net_glob.bn.running_mean.sum().item())
