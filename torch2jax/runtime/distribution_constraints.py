"""torch.distributions.constraints: sets of values that can be asked whether they hold a value, and the maps onto them."""

import jax
import jax.numpy as jnp

from torch2jax.runtime.distributions_joint import AffineTransform, ComposeTransform, ExpTransform, SigmoidTransform
from torch2jax.runtime.distributions_vectors import (
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    SoftmaxTransform,
    StickBreakingTransform,
)


class Constraint:
    """torch.distributions.constraints.Constraint: `check` says of each value, over `event_dim` axes, whether it is inside."""

    is_discrete = False
    event_dim = 0

    def __init__(self, *bounds):
        self.bounds = bounds

    def check(self, value):
        raise NotImplementedError


class Dependent(Constraint):
    """torch.distributions.constraints.dependent."""

    def check(self, value):
        raise ValueError("Cannot determine validity of dependent constraint")


class Boolean(Constraint):
    """torch.distributions.constraints.boolean."""

    is_discrete = True

    def check(self, value):
        return (value == 0) | (value == 1)


class OneHot(Constraint):
    """torch.distributions.constraints.one_hot."""

    is_discrete = True
    event_dim = 1

    def check(self, value):
        return ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1)


class IntegerInterval(Constraint):
    """torch.distributions.constraints.integer_interval."""

    is_discrete = True

    def check(self, value):
        lower, upper = self.bounds
        return (value % 1 == 0) & (lower <= value) & (value <= upper)


class IntegerGreaterThan(Constraint):
    """torch.distributions.constraints.positive_integer and nonnegative_integer."""

    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (value >= self.bounds[0])


class Real(Constraint):
    """torch.distributions.constraints.real."""

    def check(self, value):
        return value == value


class GreaterThan(Constraint):
    """torch.distributions.constraints.greater_than, and positive."""

    def check(self, value):
        return self.bounds[0] < value


class GreaterThanEq(Constraint):
    """torch.distributions.constraints.greater_than_eq, and nonnegative."""

    def check(self, value):
        return self.bounds[0] <= value


class LessThan(Constraint):
    """torch.distributions.constraints.less_than."""

    def check(self, value):
        return value < self.bounds[0]


class Interval(Constraint):
    """torch.distributions.constraints.interval, and unit_interval."""

    def check(self, value):
        lower, upper = self.bounds
        return (lower <= value) & (value <= upper)


class HalfOpenInterval(Constraint):
    """torch.distributions.constraints.half_open_interval."""

    def check(self, value):
        lower, upper = self.bounds
        return (lower <= value) & (value < upper)


class Simplex(Constraint):
    """torch.distributions.constraints.simplex."""

    event_dim = 1

    def check(self, value):
        return (value >= 0).all(-1) & (jnp.abs(value.sum(-1) - 1) < 1e-6)


class MultinomialConstraint(Constraint):
    """torch.distributions.constraints.multinomial."""

    is_discrete = True
    event_dim = 1

    def check(self, value):
        return (value >= 0).all(-1) & (value.sum(-1) <= self.bounds[0])


class LowerTriangular(Constraint):
    """torch.distributions.constraints.lower_triangular."""

    event_dim = 2

    def check(self, value):
        return (jnp.tril(value) == value).all((-2, -1))


class LowerCholesky(LowerTriangular):
    """torch.distributions.constraints.lower_cholesky."""

    def check(self, value):
        return super().check(value) & (jnp.diagonal(value, axis1=-2, axis2=-1) > 0).all(-1)


class CorrCholesky(LowerCholesky):
    """torch.distributions.constraints.corr_cholesky."""

    def check(self, value):
        tolerance = jnp.finfo(value.dtype).eps * value.shape[-1] * 10
        length = jnp.linalg.norm(jax.lax.stop_gradient(value), axis=-1)
        return super().check(value) & (jnp.abs(length - 1) <= tolerance).all(-1)


class Square(Constraint):
    """torch.distributions.constraints.square."""

    event_dim = 2

    def check(self, value):
        return jnp.full(value.shape[:-2], value.shape[-2] == value.shape[-1])


class Symmetric(Square):
    """torch.distributions.constraints.symmetric."""

    def check(self, value):
        return super().check(value) & jnp.isclose(value, value.mT, atol=1e-6).all((-2, -1))


class PositiveSemidefinite(Symmetric):
    """torch.distributions.constraints.positive_semidefinite."""

    def check(self, value):
        return super().check(value) & (jnp.linalg.eigvalsh(value) >= 0).all(-1)


class PositiveDefinite(Symmetric):
    """torch.distributions.constraints.positive_definite."""

    def check(self, value):
        return super().check(value) & jnp.isfinite(jnp.linalg.cholesky(value)).all((-2, -1))


class IndependentConstraint(Constraint):
    """torch.distributions.constraints.independent, and real_vector: all values over some more axes are inside."""

    is_discrete = property(lambda self: self.bounds[0].is_discrete)
    event_dim = property(lambda self: self.bounds[0].event_dim + self.bounds[1])

    def check(self, value):
        base, count = self.bounds
        inside = base.check(value)
        if inside.ndim < count:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.ndim}")
        return inside.all(tuple(range(-count, 0))) if count else inside


BOOLEAN = Boolean()
CORR_CHOLESKY = CorrCholesky()
DEPENDENT = Dependent()
LOWER_CHOLESKY = LowerCholesky()
LOWER_TRIANGULAR = LowerTriangular()
NONNEGATIVE = GreaterThanEq(0.0)
NONNEGATIVE_INTEGER = IntegerGreaterThan(0)
ONE_HOT = OneHot()
POSITIVE = GreaterThan(0.0)
POSITIVE_DEFINITE = PositiveDefinite()
POSITIVE_INTEGER = IntegerGreaterThan(1)
POSITIVE_SEMIDEFINITE = PositiveSemidefinite()
REAL = Real()
REAL_VECTOR = IndependentConstraint(Real(), 1)
SIMPLEX = Simplex()
SQUARE = Square()
SYMMETRIC = Symmetric()
UNIT_INTERVAL = Interval(0.0, 1.0)


def biject_to(constraint):
    """torch.distributions.biject_to: a map from all real numbers onto the values of a constraint, one to one."""
    match constraint:
        case Simplex():
            return StickBreakingTransform()
        case LowerCholesky() if type(constraint) is LowerCholesky:
            return LowerCholeskyTransform()
    return onto(constraint, biject_to)


def transform_to(constraint):
    """torch.distributions.transform_to: a map from all real numbers onto the values of a constraint."""
    match constraint:
        case Simplex():
            return SoftmaxTransform()
        case LowerCholesky() if type(constraint) is LowerCholesky:
            return LowerCholeskyTransform()
    return onto(constraint, transform_to)


def onto(constraint, of_part):
    """What torch.distributions.biject_to and transform_to have in common."""
    match constraint:
        case Real():
            return ComposeTransform([])
        case IndependentConstraint(bounds=(Real(), _)):
            return ComposeTransform([])
        case GreaterThan(bounds=(lower,)) | GreaterThanEq(bounds=(lower,)):
            return ExpTransform() if at(lower, 0) else ComposeTransform([ExpTransform(), AffineTransform(lower, 1)])
        case LessThan(bounds=(upper,)):
            return ComposeTransform([ExpTransform(), AffineTransform(upper, -1)])
        case Interval(bounds=(lower, upper)) | HalfOpenInterval(bounds=(lower, upper)):
            if at(lower, 0) and at(upper, 1):
                return SigmoidTransform()
            return ComposeTransform([SigmoidTransform(), AffineTransform(lower, upper - lower)])
        case CorrCholesky():
            return CorrCholeskyTransform()
        case PositiveDefinite():
            return PositiveDefiniteTransform()
    raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")


def at(bound, number):
    """Whether a bound of torch.distributions.constraints is a plain number, and this one."""
    return isinstance(bound, (int, float)) and bound == number
