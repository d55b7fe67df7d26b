import torch


class Diffusion:
    def __init__(self, steps):
        self.steps = steps

    def p_mean(self, model, x, t, model_kwargs=None):
        if model_kwargs is None:
            model_kwargs = {}
        out = model(x, t, **model_kwargs)
        return {"mean": out, "x": x}

    def shift(self, guide, x, t, model_kwargs=None):
        return 0.1 * guide(x, t, **(model_kwargs or {}))

    def p_sample(self, model, x, t, model_kwargs=None, guide=None):
        out = self.p_mean(model, x, t, model_kwargs=model_kwargs)
        if guide is not None:
            out["mean"] = out["mean"] + self.shift(guide, x, t, model_kwargs)
        noise = torch.randn_like(x)
        return out["mean"] + 0.0 * noise

    def loop(self, model, x, model_kwargs=None, guide=None):
        for i in range(self.steps):
            t = torch.full((x.shape[0],), i)
            x = self.p_sample(model, x, t, model_kwargs, guide)
        return x

    def terms(self, model, x, t, model_kwargs=None):
        out = self.p_mean(model, x, t, model_kwargs=model_kwargs)
        return (out["mean"] - x).pow(2).mean()

    def losses(self, model, x, t, model_kwargs=None, kl=False):
        if kl:
            return self.terms(model=model, x=x, t=t, model_kwargs=model_kwargs)
        y = model(x, t, **(model_kwargs or {}))
        frozen = y.detach()
        vb = self.terms(model=lambda *args, r=frozen: r, x=x, t=t)
        return (y - x).abs().mean() + vb


class Spaced(Diffusion):
    def p_mean(self, model, *args, **kwargs):
        return super().p_mean(self._wrap(model), *args, **kwargs)

    def shift(self, guide, *args, **kwargs):
        return super().shift(self._wrap(guide), *args, **kwargs)

    def losses(self, model, *args, **kwargs):
        return super().losses(self._wrap(model), *args, **kwargs)

    def _wrap(self, model):
        if isinstance(model, Wrapped):
            return model
        return Wrapped(model, 2.0)


class Wrapped:
    def __init__(self, model, scale):
        self.model = model
        self.scale = scale

    def __call__(self, x, t, **kwargs):
        return self.model(x, t * self.scale, **kwargs)
