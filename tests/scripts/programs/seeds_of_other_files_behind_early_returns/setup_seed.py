import torch


def set_seed(seed):
    torch.manual_seed(seed)


class Setup:
    def parse(self, args):
        self.seed(args)

    def seed(self, args):
        if not "seed" in args:
            return
        set_seed(args["seed"])
