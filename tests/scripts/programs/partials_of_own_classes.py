# also: nnx, linen
"""`partial` of classes of the program: given to others, chosen in branches beside layers of torch, kept in fields and in dicts."""

from functools import partial
import torch
import torch.nn as nn
import torch.nn.functional as F

class Inner(nn.Module):
    def __init__(self, a, b, scale=1.0, norm=None):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(a, b))
        self.scale = scale
        self.norm = norm(b) if norm is not None else nn.Identity()
    def forward(self, x):
        return self.norm(x @ self.weight * self.scale)

class Outer(nn.Module):

    def __init__(self, make=partial(Inner, 6, norm=partial(nn.LayerNorm, eps=1e-2)), own=None, widths=(3, 2)):
        super().__init__()
        self.inner = make(3)
        self.list = nn.ModuleList([partial(Inner, b=w)(3) for w in widths])
        if own is not None:
            self.own = own(a=3, b=4)
        else:
            self.own = nn.Identity()
    def forward(self, x):
        x = self.inner(x)
        return self.own(x).sum() + sum(layer(x).sum() for layer in self.list)

def build(kind, scale):
    blocks = {"a": partial(Inner, scale=scale), "b": partial(Inner, scale=scale * 2, norm=nn.LayerNorm)}
    return Outer(own=blocks[kind])

def build_if(kind, scale):
    if kind == "a":
        return Outer(own=partial(Inner, scale=scale))
    elif kind == "b":
        return Outer(own=partial(Inner, scale=scale * 2))
    return Outer()

class CosineSimLinear(nn.Module):
    def __init__(self, dim_in, dim_out, scale=1.):
        super().__init__()
        self.scale = scale
        self.weight = nn.Parameter(torch.randn(dim_in, dim_out))

    def forward(self, x):
        x = F.normalize(x, dim=-1)
        w = F.normalize(self.weight, dim=0)
        return (x @ w) * self.scale

class Chosen(nn.Module):
    def __init__(self, dim, codebook_dims, projection_has_bias=True, cosine_sim_project_in=False, cosine_sim_project_in_scale=None):
        super().__init__()
        has_projections = dim != codebook_dims
        if cosine_sim_project_in:
            cosine_sim_project_in = 2.0
            project_in_klass = partial(CosineSimLinear, scale=cosine_sim_project_in)
        else:
            project_in_klass = partial(nn.Linear, bias=projection_has_bias)
        self.project_in = project_in_klass(dim, codebook_dims) if has_projections else nn.Identity()

    def forward(self, x):
        return self.project_in(x)

class ChosenAtOnce(nn.Module):
    def __init__(self, own, scale):
        super().__init__()
        make = partial(CosineSimLinear, scale=scale) if own else nn.Linear
        self.fc = make(6, 3)
        self.kept = partial(Open, scale=scale)
        self.more = self.kept(3, 3)

    def forward(self, x):
        return self.more(self.fc(x))


class Open(nn.Module):
    def __init__(self, a, b, **options):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(a, b))
        self.scale = options.get("scale", 1.0)

    def forward(self, x):
        return x @ self.weight * self.scale


def run(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3 + i).view(p.shape))
    print(net(torch.sin(torch.arange(12.0)).view(2, 6)).sum().item())


run(Outer())
run(build("a", 2.0))
run(build("b", 0.5))
run(build_if("a", 2.0))
run(build_if("b", 3.0))
run(build_if("c", 1.0))
run(Chosen(6, 3))
run(Chosen(6, 3, cosine_sim_project_in=True))
run(Chosen(6, 6))
run(ChosenAtOnce(True, 2.0))
run(ChosenAtOnce(False, 3.0))
