import math
import sys

import torch
import util.steps as steps


def train_one_epoch(
    model: torch.nn.Module,
    criterion: torch.nn.Module,
    loader,
    optimizer: torch.optim.Optimizer,
    epoch,
    max_norm,
    accum_iter,
    loss_scaler,
):
    model.train(True)
    optimizer.zero_grad()
    for it, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss_value = loss.item()
        if not math.isfinite(loss_value):
            print("Loss is {}, stopping training".format(loss_value))
            sys.exit(1)
        loss /= accum_iter
        norm = loss_scaler(
            loss,
            optimizer,
            clip_grad=max_norm,
            parameters=model.parameters(),
            create_graph=False,
            update_grad=(it + 1) % accum_iter == 0,
        )
        if (it + 1) % accum_iter == 0:
            optimizer.zero_grad()
        print(it, loss_value, None if norm is None else norm.item())
