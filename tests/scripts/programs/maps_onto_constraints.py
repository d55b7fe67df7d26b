import torch
import torch.distributions as D
from torch.distributions import constraints

x = torch.tensor([0.3, -0.5, 1.2])
print(round(D.SoftmaxTransform()(x).max().item(), 5))
print(round(D.StickBreakingTransform()(x).sum().item(), 5))
print(round(D.CorrCholeskyTransform()(x).sum().item(), 5))
square = torch.tensor([[0.5, 0.1], [0.2, -0.3]])
print(round(D.LowerCholeskyTransform()(square).sum().item(), 5))
print(round(D.PositiveDefiniteTransform()(square).sum().item(), 5))
print(constraints.greater_than_eq(0.0).check(x).tolist())
print(constraints.integer_interval(0, 2).check(torch.tensor([0.0, 1.5, 3.0])).tolist())
print(constraints.integer_interval(0, 2).is_discrete, constraints.positive.is_discrete)
y = torch.arange(4.0)
print(y.resize_as(square).sum().item())
print(isinstance(constraints.positive, constraints.Constraint))
print(square.to_sparse_bsc((1, 1)).to_dense().sum().item())


class Shifted(D.Distribution):
    arg_constraints = {}

    def __init__(self, low):
        self.low = low
        super().__init__(validate_args=False)

    @constraints.dependent_property
    def support(self):
        return constraints.greater_than_eq(self.low)


class Counted(Shifted):
    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self.low)


print(Shifted(0.5).support.check(x).tolist())
print(Counted(3).support.check(x).tolist(), Counted(3).support.is_discrete)
print(constraints.boolean.check(torch.tensor([0.0, 1.0, 2.0])).tolist(), constraints.nonnegative.check(x).tolist())
print(constraints.positive_integer.check(torch.tensor([0.0, 1.0, 2.5])).tolist())
print(constraints.multinomial(3).check(torch.tensor([1.0, 2.0])).item())
lower, pair = torch.tensor([[1.0, 0.0], [0.5, 2.0]]), torch.tensor([[2.0, 0.5], [0.5, 1.0]])
print(constraints.lower_triangular.check(lower).item(), constraints.lower_triangular.check(pair).item())
print(constraints.symmetric.check(lower).item(), constraints.symmetric.check(pair).item())
print(constraints.positive_semidefinite.check(pair).item(), constraints.positive_semidefinite.check(-pair).item())
print(isinstance(constraints.dependent, constraints.Constraint))
