import torch


def linear(x):
    return x if x < 1 else 1 / x


def constant(x):
    return x


TABLE = {"linear": linear, "constant": constant}
GROWING = {"linear": linear}
GROWING["constant"] = constant


class Held(torch.optim.Optimizer):  # T2J206
    def __init__(self, params, lr, schedule):
        super().__init__(params, {"lr": lr, "schedule": schedule})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                state["step"] += 1
                schedule = linear
                p.add_(p.grad, alpha=-group["lr"] * schedule(state["step"]))


class Grown(torch.optim.Optimizer):  # T2J206
    def __init__(self, params, lr, schedule):
        super().__init__(params, {"lr": lr, "schedule": schedule})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                state["step"] += 1
                schedule = GROWING[group["schedule"]]
                p.add_(p.grad, alpha=-group["lr"] * schedule(state["step"]))


class Passed(torch.optim.Optimizer):  # T2J206
    def __init__(self, params, lr, schedule):
        super().__init__(params, {"lr": lr, "schedule": schedule})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                state["step"] += 1
                schedule = TABLE[group["schedule"]]
                factor = [schedule(state["step"]), schedule]
                p.add_(p.grad, alpha=-group["lr"] * factor[0])
