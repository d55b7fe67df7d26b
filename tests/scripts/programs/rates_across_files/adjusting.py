def adjust_learning_rate(optimizer, epoch, lr):
    lr = lr * (0.5 ** (epoch // 2))
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr
