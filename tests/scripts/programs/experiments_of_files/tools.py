import torch


def adjust_learning_rate(optimizer, epoch, args):
    if args.lradj == "halved":
        lr_adjust = {epoch: args.learning_rate * 0.5 ** (epoch - 1)}
    elif args.lradj == "listed":
        lr_adjust = {2: 5e-2, 4: 1e-2}
    if epoch in lr_adjust.keys():
        lr = lr_adjust[epoch]
        for param_group in optimizer.param_groups:
            param_group["lr"] = lr
        print("learning rate", lr)


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.counter = 0
        self.best_score = None
        self.early_stop = False

    def __call__(self, loss, model, path):
        if self.best_score is None or -loss >= self.best_score:
            self.best_score = -loss
            torch.save(model.state_dict(), path)
            self.counter = 0
        else:
            self.counter += 1
            self.early_stop = self.counter >= self.patience
