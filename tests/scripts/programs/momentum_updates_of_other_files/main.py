# also: nnx, linen
"""The momentum encoder of a package, which its forward() updates, trained in a function of another file."""

import torch
import torch.nn as nn
import moco.builder

def encoder(num_classes):
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, num_classes))
    return net
torch.manual_seed(0)
model = moco.builder.MoCo(encoder)
with torch.no_grad():
    for i, p in enumerate(model.encoder_q.parameters()):
        p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i)
    for i, k in enumerate(model.encoder_k.parameters()):
        k.copy_(torch.linspace(-0.5, 0.6, k.numel()).view(k.shape) + 0.05 * i)
    model.queue.copy_(nn.functional.normalize(torch.linspace(-1, 1, 18).view(3, 6), dim=0))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
x = torch.linspace(-1, 1, 12).view(3, 4)


def train(loader, model, criterion, optimizer, epoch):
    model.train()
    for i, (images, _) in enumerate(loader):
        output, target = model(im_q=images[0], im_k=images[1])
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(epoch, i, loss.item(), model.queue.sum().item(), int(model.queue_ptr))


def main():
    for epoch in range(2):
        train([((x, x + 0.1), 0), ((x * 0.5, x - 0.1), 0)], model, criterion, optimizer, epoch)
    print(sum(p.sum().item() for p in model.encoder_k.parameters()))


main()
