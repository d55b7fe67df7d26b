import torch
from apex import amp


def train(model: torch.nn.Module, optimizer: torch.optim.SGD, criterion, data, level):
    model, optimizer = amp.initialize(model, optimizer, opt_level=level)
    for x, y in data:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        with amp.scale_loss(loss, optimizer) as scaled_loss:
            scaled_loss.backward()
        optimizer.step()
    print(amp._amp_state.loss_scalers)  # T2J200
