import torch


def clip_gradient(optimizer, limit):
    for group in optimizer.param_groups:
        for param in group["params"]:
            if param.grad is not None:
                param.grad.data.clamp_(-limit, limit)


def slower(optimizer, scale):
    for group in optimizer.param_groups:
        group["lr"] = group["lr"] * scale
    print("rate %f" % (optimizer.param_groups[1]["lr"],))
