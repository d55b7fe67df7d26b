import torch
import torch.optim as optim


def set_optimizer(opt, model):
    optimizer = optim.SGD(model.parameters(), lr=opt.learning_rate, momentum=0.9)
    return optimizer


def save_model(model, optimizer, save_file):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, save_file)
