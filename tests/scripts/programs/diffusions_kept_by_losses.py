# also: nnx, linen
"""A module keeps objects for its diffusion, whose methods are given its network, or a method of it, and wrap it."""
import numpy as np
import torch
import torch.nn as nn


class GaussianDiffusion:
    def __init__(self, betas):
        self.betas = np.array(betas, dtype=np.float64)
        self.alphas_cumprod = np.cumprod(1.0 - self.betas, axis=0)
        self.num_timesteps = int(self.betas.shape[0])

    def q_sample(self, x, t, noise):
        a = torch.from_numpy(self.alphas_cumprod)[t].float()[:, None]
        return a.sqrt() * x + (1 - a).sqrt() * noise

    def training_losses(self, model, x, t, model_kwargs=None, noise=None):
        if model_kwargs is None:
            model_kwargs = {}
        noise = torch.cos(x) if noise is None else noise
        x_t = self.q_sample(x, t, noise)
        terms = {}
        out = model(x_t, t, **model_kwargs)
        terms["mse"] = ((noise - out) ** 2).mean(1)
        terms["loss"] = terms["mse"]
        return terms

    def p_sample_loop(self, model, shape, noise, model_kwargs=None):
        img = noise
        for i in range(self.num_timesteps)[::-1]:
            t = torch.tensor([i] * shape[0])
            with torch.no_grad():
                img = img - 0.1 * model(img, t, **model_kwargs)
        return img


class SpacedDiffusion(GaussianDiffusion):
    def __init__(self, use_timesteps, **kwargs):
        self.use_timesteps = set(use_timesteps)
        self.timestep_map = []
        base = GaussianDiffusion(**kwargs)
        last = 1.0
        new_betas = []
        for i, a in enumerate(base.alphas_cumprod):
            if i in self.use_timesteps:
                new_betas.append(1 - a / last)
                last = a
                self.timestep_map.append(i)
        kwargs["betas"] = np.array(new_betas)
        super().__init__(**kwargs)

    def training_losses(self, model, *args, **kwargs):
        return super().training_losses(self._wrap_model(model), *args, **kwargs)

    def p_sample_loop(self, model, *args, **kwargs):
        return super().p_sample_loop(self._wrap_model(model), *args, **kwargs)

    def _wrap_model(self, model):
        if isinstance(model, _WrappedModel):
            return model
        return _WrappedModel(model, self.timestep_map)


class _WrappedModel:
    def __init__(self, model, timestep_map):
        self.model = model
        self.timestep_map = timestep_map

    def __call__(self, x, ts, **kwargs):
        map_tensor = torch.tensor(self.timestep_map, device=ts.device, dtype=ts.dtype)
        return self.model(x, map_tensor[ts], **kwargs)


def create_diffusion(steps, n=8):
    return SpacedDiffusion(use_timesteps=range(0, n, n // steps), betas=np.linspace(0.01, 0.2, n))


class MLP(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(d, 8), nn.Linear(8, d), nn.Linear(3, 8)

    def forward(self, x, t, c):
        return self.b(torch.tanh(self.a(x) + self.c(c) + t[:, None] * 0.1))

    def forward_with_cfg(self, x, t, c, cfg_scale):
        half = x[: len(x) // 2]
        out = self.forward(torch.cat([half, half]), t, c)
        u, v = out.chunk(2)
        e = v + cfg_scale * (u - v)
        return torch.cat([e, e])


class DiffLoss(nn.Module):
    def __init__(self, d, steps):
        super().__init__()
        self.in_channels = d
        self.net = MLP(d)
        self.train_diffusion = create_diffusion(8)
        self.gen_diffusion = create_diffusion(steps)

    def forward(self, target, z, mask=None):
        t = torch.arange(target.shape[0]) % self.train_diffusion.num_timesteps
        losses = self.train_diffusion.training_losses(self.net, target, t, dict(c=z))
        loss = losses["loss"]
        if mask is not None:
            loss = (loss * mask).sum() / mask.sum()
        return loss.mean()

    def sample(self, z, cfg=1.0):
        if not cfg == 1.0:
            noise = torch.cos(torch.arange(z.shape[0] // 2 * self.in_channels).float()).view(-1, self.in_channels)
            noise = torch.cat([noise, noise], dim=0)
            model_kwargs = dict(c=z, cfg_scale=cfg)
            sample_fn = self.net.forward_with_cfg
        else:
            noise = torch.cos(torch.arange(z.shape[0] * self.in_channels).float()).view(-1, self.in_channels)
            model_kwargs = dict(c=z)
            sample_fn = self.net.forward
        return self.gen_diffusion.p_sample_loop(sample_fn, noise.shape, noise, model_kwargs=model_kwargs)


m = DiffLoss(4, 4)
with torch.no_grad():
    for p in m.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
opt = torch.optim.AdamW(m.parameters(), lr=0.01)
x, z = torch.linspace(-1, 1, 24).view(6, 4), torch.sin(torch.arange(18.)).view(6, 3)
for i in range(3):
    loss = m(x, z, (torch.arange(6) % 2).float())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(i, loss.item())
print(m.sample(z).sum().item(), m.sample(z, 2.0).sum().item())
