# also: nnx, linen
"""Functions give tensors in dictionaries, of which one that is new is changed in place."""

import torch


class Diffusion:
    def __init__(self, steps):
        self.steps = steps

    def predict(self, model, x, t):
        out = model(x, t)
        return {"mean": out, "x": x, "scaled": out * 2}

    def terms(self, model, x, t):
        out = self.predict(model, x, t)
        kl = (out["mean"] - x) ** 2
        output = torch.where(t == 0, kl, kl + 1)
        return {"output": output, "pred": out["mean"]}

    def losses(self, model, x, t):
        terms = {}
        terms["vb"] = self.terms(lambda *args, r=x: r * 2, x, t)["output"]
        terms["vb"] *= self.steps / 10.0
        res = self.terms(model, x, t)
        res["output"] += 1
        terms["mse"] = res["output"] + x
        return terms


d = Diffusion(4)
x = torch.arange(4.0)
t = torch.tensor([0, 1, 0, 1])
print({k: v.tolist() for k, v in d.losses(lambda a, b: a + b, x, t).items()}, x.tolist())


def pair(a):
    b = a[1:]
    return {"whole": a, "part": b, "new": a + 1}


a = torch.arange(3.0)
r = pair(a)
r["new"] *= 3
print(r["new"].tolist(), a.tolist())
