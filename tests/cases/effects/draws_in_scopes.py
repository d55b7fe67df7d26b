"""Draws in comprehensions, lambdas, closures, generators, recursion, classes and functions that are passed around."""

import contextlib
import functools
from collections.abc import Callable
from functools import lru_cache, partial, wraps

import torch
from torch import Tensor


def meet(a: Tensor, b: Tensor):
    """Whether two draws have a number in common."""
    return (a == b).any()


def noise(x: Tensor):
    return x + torch.randn_like(x)


def unchanged(x: Tensor):
    return x * 1.0


def case_comprehension(n: int):
    a, b = [torch.rand(2) for _ in range(n)]
    return meet(a, b)


def case_comprehension_of_several(n: int):
    pairs = [(torch.rand(2), torch.rand(2)) for _ in range(n)]
    return meet(pairs[0][0], pairs[0][1]), meet(pairs[0][1], pairs[1][1])


def case_comprehension_with_condition(n: int):
    draws = {i: torch.rand(2) for i in range(n + 2) if i != 1}
    return meet(draws[0], draws[2]), len(draws)


def case_nested_comprehension(n: int):
    rows = [[torch.rand(2) for _ in range(n)] for _ in range(n)]
    return meet(rows[0][0], rows[0][1]), meet(rows[0][0], rows[1][0])


def case_comprehension_over_two(n: int):
    draws = [torch.rand(2) for i in range(n) for j in range(n)]
    return meet(draws[0], draws[1]), meet(draws[0], draws[2]), len(draws)


def case_comprehension_over_zip(x: Tensor, y: Tensor):
    draws = [noise(a) - a for a, b in zip(x, y)]
    return meet(draws[0], draws[1])


# random
def case_source_of_comprehension():
    return [float(value) for value in torch.rand(3)]


# random
def case_generator_expression(n: int):
    return sum(torch.rand(2) for _ in range(n))


def case_any(n: int):
    return any(torch.rand(()) > 2 for _ in range(n))


def case_lambda():
    draw = lambda: torch.rand(2)
    return meet(draw(), draw())


def case_lambda_with_arguments(x: Tensor):
    jitter = lambda t, scale=0.1: t + scale * torch.randn_like(t)
    return meet(jitter(x), jitter(x, scale=0.1))


halved = lambda t: 0.5 * torch.rand_like(t)


def case_lambda_of_module(x: Tensor):
    return meet(halved(x), halved(x))


def case_lambda_that_calls(x: Tensor):
    shaken = lambda t: noise(t)
    return meet(shaken(x), shaken(x))


def case_lambda_that_draws_twice():
    pair = lambda: (torch.rand(2), torch.rand(2))
    a, b = pair()
    return meet(a, b), meet(a, pair()[0])


def case_lambda_called_at_once():
    return (lambda n: torch.rand(n))(3).shape


def case_sorted_at_random(n: int):
    return sorted(sorted(range(n), key=lambda i: torch.rand(()).item()))


def case_map(x: Tensor):
    a, b = map(noise, [x, x])
    return meet(a, b)


def case_map_of_lambda(x: Tensor):
    a, b = map(lambda t: t + torch.rand(3), [x, x])
    return meet(a, b)


def case_filter(n: int):
    return list(filter(lambda i: torch.rand(()) < 2, range(n)))


def case_closure():
    def draw():
        return torch.rand(2)

    return meet(draw(), draw())


def case_closure_in_loop(n: int):
    draws = []

    def add():
        draws.append(torch.rand(2))

    for _ in range(n):
        add()
    return meet(draws[0], draws[1])


def case_function_that_draws_is_returned():
    def make(scale):
        def draw(n):
            return scale * torch.rand(n)

        return draw

    draw = make(2.0)
    return meet(draw(3), draw(3))


def draws(n: int):
    for _ in range(n):
        yield torch.rand(2)


def case_generator_function(n: int):
    a, b = draws(n)
    c = next(draws(1))
    return meet(a, b), meet(a, c)


def endless():
    while True:
        yield torch.rand(2)


def case_endless_generator():
    stream = endless()
    return meet(next(stream), next(stream))


def delegated(n: int):
    yield torch.zeros(2)
    yield from draws(n)


def case_yield_from(n: int):
    zero, a, b = delegated(n)
    return meet(a, b), zero


# random
def walk(n: int):
    if n == 0:
        return torch.zeros(2)
    return torch.randn(2) + walk(n - 1)


# random
def case_recursion():
    return walk(4)


def even(n: int):
    return torch.zeros(2) if n == 0 else torch.rand(2) + odd(n - 1)


def odd(n: int):
    return torch.ones(2) if n == 0 else torch.rand(2) + even(n - 1)


# random
def case_mutual_recursion():
    return even(3)


def apply(function: Callable, x: Tensor):
    return function(x)


def case_passed_function(x: Tensor):
    return meet(apply(noise, x), apply(noise, x))


def choose(function: Callable, x: Tensor):
    return function(x)


def case_passed_functions_of_two_kinds(x: Tensor):
    return meet(choose(noise, x), choose(unchanged, x)), choose(unchanged, x)


def case_table(x: Tensor):
    table = {"noise": noise, "unchanged": unchanged, "double": lambda t: t * 2}
    return meet(table["noise"](x), x), table["unchanged"](x), table["double"](x)


def case_list_of_functions(x: Tensor):
    for function in [unchanged, noise, noise]:
        x = function(x)
    return x.shape


def case_chosen_function(x: Tensor, flag: bool):
    function = noise if not flag else unchanged
    return function(x)


def case_partial(x: Tensor):
    shaken = partial(noise, x)
    return meet(shaken(), shaken())


def logged(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@logged
def logged_noise(n: int):
    return torch.rand(n)


def case_decorated():
    return meet(logged_noise(3), logged_noise(3))


def picked(name: str):
    if name == "noise":
        return noise
    return lambda x: x


def case_picked_function(x: Tensor):
    return meet(picked("noise")(x), x), picked("same")(x)


class Holder:
    def __init__(self, function):
        self.function = function

    def run(self, x: Tensor):
        return self.function(x)


def case_function_in_field(x: Tensor):
    holder = Holder(noise)
    return meet(holder.run(x), holder.run(x))


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, x: Tensor):
        for transform in self.transforms:
            x = transform(x)
        return x


class Jitter:
    def __call__(self, x: Tensor):
        return x + torch.randn_like(x)


class Scaled:
    def __call__(self, x: Tensor):
        return x * 2


def case_composed(x: Tensor):
    transform = Compose([Jitter(), Scaled(), Jitter()])
    return meet(transform(x), transform(x))


def perhaps(x: Tensor, function=None):
    if function is None:
        function = noise
    return function(x)


def case_perhaps(x: Tensor):
    return meet(perhaps(x), perhaps(x))


def twice(function):
    def wrapper(x):
        return function(function(x))

    return wrapper


@twice
def twice_noise(x: Tensor):  # T2J400
    return x + torch.rand(3)


def case_decorated_without_keywords(x: Tensor):
    return twice_noise(x)


@lru_cache
def table_of_noise(n: int):  # T2J400
    return torch.rand(n)


def case_cached():
    return (table_of_noise(3) == table_of_noise(3)).all()


@contextlib.contextmanager
def offset():
    yield torch.rand(2)


def case_context_manager():
    with offset() as a, offset() as b:
        return meet(a, b)


BASIS = torch.rand(3)
SHIFT, SCALE = torch.randn(3), torch.rand(3)


def case_module_level():
    return meet(BASIS, SCALE), meet(SHIFT, SCALE)


class Settings:
    offset = torch.rand(3)
    scales = [torch.rand(3) for _ in range(2)]


def case_class_body():
    return meet(Settings.offset, Settings.scales[0]), meet(Settings.scales[0], Settings.scales[1])


def with_default(x: Tensor, offset: Tensor = torch.rand(3)):
    return x + offset


def case_default(x: Tensor):
    return (with_default(x) == with_default(x)).all()


class Noise:
    def __init__(self, scale: float = 1.0):
        self.scale = scale
        self.bias = torch.rand(3)

    def __call__(self, x: Tensor):
        return x + self.scale * torch.randn_like(x)

    def __getitem__(self, i: int):
        return torch.rand(3) + i

    def __iter__(self):
        for _ in range(2):
            yield torch.rand(3)

    @property
    def sample(self):
        return self.scale * torch.rand(3)

    @classmethod
    def made(cls):
        return cls(float(torch.rand(())))

    @staticmethod
    def drawn():
        return torch.rand(3)


def case_objects(x: Tensor):
    noise = Noise()
    a, b = noise
    return (
        meet(noise(x), noise(x)),
        meet(noise[0], noise[0]),
        meet(noise.sample, noise.sample),
        meet(a, b),
        meet(noise.bias, Noise().bias),
        Noise.made().scale < 1,
        meet(Noise.drawn(), noise.drawn()),
    )


class Shaken(Noise):
    def __getitem__(self, i: int):
        return super().__getitem__(i) + torch.rand(3)


def case_inherited(x: Tensor):
    noise = Shaken(0.5)
    return meet(noise[1], noise[1]), meet(noise.sample, noise(x))


class Bare:
    def __getitem__(self, i: int):
        return torch.rand(3)  # T2J400


def case_nothing_keeps_keys():
    return Bare()[0]


# random
def case_star_arguments(n: int):
    sizes = (n, n)
    return torch.rand(3, *sizes), torch.zeros(2)


def spread(*xs, **options):
    return [x + torch.rand(3) for x in xs]


def case_star_parameters(x: Tensor):
    a, b = spread(x, x)
    return meet(a, b)


# random
def case_walrus():
    if (x := torch.rand(())) > 0.5:
        return x
    return torch.rand(())


def case_default_of_lambda(x: Tensor):
    shifted = lambda t, offset=torch.rand(3): t + offset
    return (shifted(x) == shifted(x)).all(), meet(shifted(x), torch.rand(3))


def case_callback_of_sort(n: int):
    numbers = list(range(n + 2))
    numbers.sort(key=lambda i: torch.rand(()).item())
    return sorted(numbers)


# random
def case_reduced(n: int):
    return functools.reduce(lambda a, b: a + torch.rand(2), range(n), torch.zeros(2))
