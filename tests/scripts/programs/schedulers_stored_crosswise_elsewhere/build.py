import torch
from common import make_model


def build(lr):
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.1)
    return model, optimizer, scheduler
