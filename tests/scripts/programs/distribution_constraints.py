"""Constraints of distributions, the maps onto them, and properties that are computed once."""

import torch
from torch.distributions import biject_to, constraints, transform_to
from torch.distributions.utils import lazy_property

raw = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
t = transform_to(constraints.positive)
y = t(raw)
print(y.sum().item(), t.inv(y).sum().item())
y = biject_to(constraints.interval(0.0, 5.0))(raw)
print(y.sum().item())
z = transform_to(constraints.simplex)(raw)
print(z.max().item())
s = biject_to(constraints.simplex)
z = s(raw)
print(z.tolist())
print(s.inv(z).tolist(), s.log_abs_det_jacobian(raw, z).item())
chol = transform_to(constraints.lower_cholesky)
L = chol(torch.arange(9.0).reshape(3, 3) / 9)
print(L.sum().item(), chol.inv(L).sum().item())
pd = transform_to(constraints.positive_definite)
P = pd(torch.arange(9.0).reshape(3, 3) / 9)
print(P.sum().item(), pd.inv(P).sum().item())
corr = transform_to(constraints.corr_cholesky)
C = corr(raw)
print(C.sum().item(), corr.inv(C).sum().item(), corr.log_abs_det_jacobian(raw, C).item())
print(constraints.positive.check(torch.tensor([1.0, 2.0])).all().item())
print(constraints.unit_interval.check(torch.tensor([0.5, 2.0])).tolist())
print(constraints.real_vector.check(torch.tensor([0.5, float("nan")])).item(), constraints.real_vector.event_dim)
print(
    constraints.lower_cholesky.check(L).item(),
    constraints.positive_definite.check(P).item(),
    constraints.corr_cholesky.check(C).item(),
)
print(
    constraints.simplex.check(z).item(),
    constraints.one_hot.check(z).item(),
    constraints.nonnegative_integer.check(raw).tolist(),
)
print(constraints.independent(constraints.positive, 1).check(raw).item())
c = constraints.greater_than(1.0)
g = transform_to(c)(raw)
print(
    g.sum().item(),
    c.check(g).tolist(),
    constraints.less_than(1.0).check(g).tolist(),
    constraints.half_open_interval(0, 1).check(raw).tolist(),
)
g = transform_to(constraints.less_than(1.0))(raw)
print(g.sum().item())
g = transform_to(constraints.unit_interval)(raw)
print(g.sum().item())


class Scaled:
    arg_constraints = {"scale": constraints.positive, "weight": constraints.unit_interval}

    def __init__(self, scale, weight):
        self.scale = scale
        self.weight = weight

    @lazy_property
    def precision(self):
        return 1.0 / self.scale**2


scaled = Scaled(torch.tensor([0.5, 2.0]), torch.tensor([0.5, 1.5]))
print(scaled.precision.sum().item(), (scaled.precision + 1).sum().item())
for name, constraint in Scaled.arg_constraints.items():
    print(name, constraint.check(getattr(scaled, name)).tolist())
print(constraints.positive is constraints.positive, constraints.real == constraints.positive)
