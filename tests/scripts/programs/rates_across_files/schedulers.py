from torch.optim import lr_scheduler


def get_scheduler(policy, optimizer):
    if policy == "lambda":

        def rule(epoch):
            return 1.0 - max(0, epoch - 2) / 4.0

        return lr_scheduler.LambdaLR(optimizer, lr_lambda=rule)
    elif policy == "step":
        return lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    return lr_scheduler.CosineAnnealingLR(optimizer, T_max=4, eta_min=0)
