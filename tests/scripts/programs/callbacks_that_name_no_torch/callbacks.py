class Callback:
    def on_epoch_begin(self, trainer, epoch):
        pass

    def on_epoch_end(self, trainer, epoch, loss):
        pass

    def on_train_end(self, trainer):
        pass


class Rates(Callback):
    def on_epoch_begin(self, trainer, epoch):
        for group in trainer.optimizer.param_groups:
            group["lr"] = 0.4 * (epoch + 1)
