"""Draws in comprehensions, lambdas, closures, generators, recursion, classes and functions that are passed around."""

import contextlib
import functools
from collections.abc import Callable
from functools import lru_cache, partial, wraps

import jax
import jax.numpy as jnp
from torch2jax.runtime.batching import call
from torch2jax.runtime.keys import KeySequence


def meet(a: jax.Array, b: jax.Array):
    """Whether two draws have a number in common."""
    return (a == b).any()


def noise(x: jax.Array, *, key):
    return x + jax.random.normal(key, x.shape, x.dtype)


def unchanged(x: jax.Array, *, key=None):
    return x * 1.0


def case_comprehension(n: int, *, key):
    a, b = [jax.random.uniform(subkey, 2) for subkey in jax.random.split(key, n)]
    return meet(a, b)


def case_comprehension_of_several(n: int, *, key):
    pairs = [(jax.random.uniform(pairs_key, 2), jax.random.uniform(pairs_key_1, 2)) for pairs_key, pairs_key_1 in jax.random.split(key, (n, 2))]
    return meet(pairs[0][0], pairs[0][1]), meet(pairs[0][1], pairs[1][1])


def case_comprehension_with_condition(n: int, *, key):
    draws = {i: jax.random.uniform(subkey, 2) for i, subkey in zip(range(n + 2), jax.random.split(key, n + 2)) if i != 1}
    return meet(draws[0], draws[2]), len(draws)


def case_nested_comprehension(n: int, *, key):
    keys = KeySequence(key)
    rows = [[jax.random.uniform(next(keys), 2) for _ in range(n)] for _ in range(n)]
    return meet(rows[0][0], rows[0][1]), meet(rows[0][0], rows[1][0])


def case_comprehension_over_two(n: int, *, key):
    keys = KeySequence(key)
    draws = [jax.random.uniform(next(keys), 2) for i in range(n) for j in range(n)]
    return meet(draws[0], draws[1]), meet(draws[0], draws[2]), len(draws)


def case_comprehension_over_zip(x: jax.Array, y: jax.Array, *, key):
    keys = KeySequence(key)
    draws = [noise(a, key=next(keys)) - a for a, b in zip(x, y)]
    return meet(draws[0], draws[1])


# random
def case_source_of_comprehension(*, key):
    return [float(value) for value in jax.random.uniform(key, 3)]


# random
def case_generator_expression(n: int, *, key):
    return sum(jax.random.uniform(subkey, 2) for subkey in jax.random.split(key, n))


def case_any(n: int, *, key):
    return any(jax.random.uniform(subkey, ()) > 2 for subkey in jax.random.split(key, n))


def case_lambda(*, key):
    draw_key, draw_key_1 = jax.random.split(key)

    def draw(*, key):
        return jax.random.uniform(key, 2)
    return meet(draw(key=draw_key), draw(key=draw_key_1))


def case_lambda_with_arguments(x: jax.Array, *, key):
    jitter_key, jitter_key_1 = jax.random.split(key)
    jitter = lambda t, scale=0.1, *, key: t + scale * jax.random.normal(key, t.shape, t.dtype)
    return meet(jitter(x, key=jitter_key), jitter(x, scale=0.1, key=jitter_key_1))


halved = lambda t, *, key: 0.5 * jax.random.uniform(key, t.shape, t.dtype)


def case_lambda_of_module(x: jax.Array, *, key):
    halved_key, halved_key_1 = jax.random.split(key)
    return meet(halved(x, key=halved_key), halved(x, key=halved_key_1))


def case_lambda_that_calls(x: jax.Array, *, key):
    shaken_key, shaken_key_1 = jax.random.split(key)

    def shaken(t, *, key):
        return noise(t, key=key)
    return meet(shaken(x, key=shaken_key), shaken(x, key=shaken_key_1))


def case_lambda_that_draws_twice(*, key):
    pair_key, pair_key_1 = jax.random.split(key)

    def pair(*, key):
        rand_key, rand_key_1 = jax.random.split(key)
        return (jax.random.uniform(rand_key, 2), jax.random.uniform(rand_key_1, 2))
    a, b = pair(key=pair_key)
    return meet(a, b), meet(a, pair(key=pair_key_1)[0])


def case_lambda_called_at_once(*, key):
    keys = KeySequence(key)
    return (lambda n: jax.random.uniform(next(keys), n))(3).shape


def case_sorted_at_random(n: int, *, key):
    keys = KeySequence(key)
    return sorted(sorted(range(n), key=lambda i: jax.random.uniform(next(keys), ()).item()))


def case_map(x: jax.Array, *, key):
    keys = KeySequence(key)
    a, b = map(lambda x: noise(x, key=next(keys)), [x, x])
    return meet(a, b)


def case_map_of_lambda(x: jax.Array, *, key):
    keys = KeySequence(key)
    a, b = map(lambda t: t + jax.random.uniform(next(keys), 3), [x, x])
    return meet(a, b)


def case_filter(n: int, *, key):
    keys = KeySequence(key)
    return list(filter(lambda i: jax.random.uniform(next(keys), ()) < 2, range(n)))


def case_closure(*, key):
    draw_key, draw_key_1 = jax.random.split(key)

    def draw(*, key):
        return jax.random.uniform(key, 2)

    return meet(draw(key=draw_key), draw(key=draw_key_1))


def case_closure_in_loop(n: int, *, key):
    draws = []

    def add(*, key):
        draws.append(jax.random.uniform(key, 2))

    for _ in range(n):
        key, subkey = jax.random.split(key)
        add(key=subkey)
    return meet(draws[0], draws[1])


def case_function_that_draws_is_returned(*, key):
    draw_key, draw_key_1 = jax.random.split(key)

    def make(scale):
        def draw(n, *, key):
            return scale * jax.random.uniform(key, n)

        return draw

    draw = make(2.0)
    return meet(draw(3, key=draw_key), draw(3, key=draw_key_1))


def draws(n: int, *, key):
    for _ in range(n):
        key, subkey = jax.random.split(key)
        yield jax.random.uniform(subkey, 2)


def case_generator_function(n: int, *, key):
    draws_key, c_key = jax.random.split(key)
    a, b = draws(n, key=draws_key)
    c = next(draws(1, key=c_key))
    return meet(a, b), meet(a, c)


def endless(*, key):
    while True:
        key, subkey = jax.random.split(key)
        yield jax.random.uniform(subkey, 2)


def case_endless_generator(*, key):
    stream = endless(key=key)
    return meet(next(stream), next(stream))


def delegated(n: int, *, key):
    yield jnp.zeros(2)
    yield from draws(n, key=key)


def case_yield_from(n: int, *, key):
    zero, a, b = delegated(n, key=key)
    return meet(a, b), zero


# random
def walk(n: int, *, key):
    randn_key, walk_key = jax.random.split(key)
    if n == 0:
        return jnp.zeros(2)
    return jax.random.normal(randn_key, 2) + walk(n - 1, key=walk_key)


# random
def case_recursion(*, key):
    return walk(4, key=key)


def even(n: int, *, key):
    rand_key, odd_key = jax.random.split(key)
    return jnp.zeros(2) if n == 0 else jax.random.uniform(rand_key, 2) + odd(n - 1, key=odd_key)


def odd(n: int, *, key):
    rand_key, even_key = jax.random.split(key)
    return jnp.ones(2) if n == 0 else jax.random.uniform(rand_key, 2) + even(n - 1, key=even_key)


# random
def case_mutual_recursion(*, key):
    return even(3, key=key)


def apply(function: Callable, x: jax.Array, *, key):
    return function(x, key=key)


def case_passed_function(x: jax.Array, *, key):
    apply_key, apply_key_1 = jax.random.split(key)
    return meet(apply(noise, x, key=apply_key), apply(noise, x, key=apply_key_1))


def choose(function: Callable, x: jax.Array, *, key):
    return function(x, key=key)


def case_passed_functions_of_two_kinds(x: jax.Array, *, key):
    choose_key, choose_key_1, choose_key_2 = jax.random.split(key, 3)
    return meet(choose(noise, x, key=choose_key), choose(unchanged, x, key=choose_key_1)), choose(unchanged, x, key=choose_key_2)


def case_table(x: jax.Array, *, key):
    draw_key, draw_key_1, draw_key_2 = jax.random.split(key, 3)
    table = {"noise": noise, "unchanged": unchanged, "double": lambda t, *, key=None: t * 2}
    return meet(table["noise"](x, key=draw_key), x), table["unchanged"](x, key=draw_key_1), table["double"](x, key=draw_key_2)


def case_list_of_functions(x: jax.Array, *, key):
    for function in [unchanged, noise, noise]:
        key, subkey = jax.random.split(key)
        x = function(x, key=subkey)
    return x.shape


def case_chosen_function(x: jax.Array, flag: bool, *, key):
    function = noise if not flag else unchanged
    return function(x, key=key)


def case_partial(x: jax.Array, *, key):
    shaken_key, shaken_key_1 = jax.random.split(key)
    shaken = partial(noise, x)
    return meet(shaken(key=shaken_key), shaken(key=shaken_key_1))


def logged(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@logged
def logged_noise(n: int, *, key):
    return jax.random.uniform(key, n)


def case_decorated(*, key):
    logged_noise_key, logged_noise_key_1 = jax.random.split(key)
    return meet(logged_noise(3, key=logged_noise_key), logged_noise(3, key=logged_noise_key_1))


def picked(name: str):
    if name == "noise":
        return noise
    return lambda x, *, key=None: x


def case_picked_function(x: jax.Array, *, key):
    draw_key, draw_key_1 = jax.random.split(key)
    return meet(picked("noise")(x, key=draw_key), x), picked("same")(x, key=draw_key_1)


class Holder:
    def __init__(self, function):
        self.function = function

    def run(self, x: jax.Array, *, key):
        return self.function(x, key=key)


def case_function_in_field(x: jax.Array, *, key):
    run_key, run_key_1 = jax.random.split(key)
    holder = Holder(noise)
    return meet(holder.run(x, key=run_key), holder.run(x, key=run_key_1))


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, x: jax.Array, *, key):
        for transform in self.transforms:
            key, subkey = jax.random.split(key)
            x = transform(x, key=subkey)
        return x


class Jitter:
    def __call__(self, x: jax.Array, *, key):
        return x + jax.random.normal(key, x.shape, x.dtype)


class Scaled:
    def __call__(self, x: jax.Array, *, key=None):
        return x * 2


def case_composed(x: jax.Array, *, key):
    transform_key, transform_key_1 = jax.random.split(key)
    transform = Compose([Jitter(), Scaled(), Jitter()])
    return meet(transform(x, key=transform_key), transform(x, key=transform_key_1))


def perhaps(x: jax.Array, function=None, *, key):
    if function is None:
        function = noise
    return call(function, x, key=key)


def case_perhaps(x: jax.Array, *, key):
    perhaps_key, perhaps_key_1 = jax.random.split(key)
    return meet(perhaps(x, key=perhaps_key), perhaps(x, key=perhaps_key_1))


def twice(function):
    def wrapper(x):
        return function(function(x))

    return wrapper


# torch2jax: T2J400 `twice_noise` draws random numbers in `twice`, where no key can be passed
@twice
def twice_noise(x: jax.Array, *, key):  # T2J400
    return x + jax.random.uniform(key, 3)


def case_decorated_without_keywords(x: jax.Array, *, key):
    return twice_noise(x, key=key)


# torch2jax: T2J400 `table_of_noise` draws random numbers in `lru_cache`, where no key can be passed
@lru_cache
def table_of_noise(n: int, *, key):  # T2J400
    return jax.random.uniform(key, n)


def case_cached(*, key):
    table_of_noise_key, table_of_noise_key_1 = jax.random.split(key)
    return (table_of_noise(3, key=table_of_noise_key) == table_of_noise(3, key=table_of_noise_key_1)).all()


@contextlib.contextmanager
def offset(*, key):
    yield jax.random.uniform(key, 2)


def case_context_manager(*, key):
    offset_key, offset_key_1 = jax.random.split(key)
    with offset(key=offset_key) as a, offset(key=offset_key_1) as b:
        return meet(a, b)


key = jax.random.key(0)
key, subkey_1 = jax.random.split(key)
BASIS = jax.random.uniform(subkey_1, 3)
key, randn_key, rand_key = jax.random.split(key, 3)
SHIFT, SCALE = jax.random.normal(randn_key, 3), jax.random.uniform(rand_key, 3)


def case_module_level():
    return meet(BASIS, SCALE), meet(SHIFT, SCALE)


key, rand_key_1, sub_key = jax.random.split(key, 3)


class Settings:
    offset = jax.random.uniform(rand_key_1, 3)
    scales = [jax.random.uniform(subkey, 3) for subkey in jax.random.split(sub_key, 2)]


def case_class_body():
    return meet(Settings.offset, Settings.scales[0]), meet(Settings.scales[0], Settings.scales[1])


key, subkey_1 = jax.random.split(key)


def with_default(x: jax.Array, offset: jax.Array = jax.random.uniform(subkey_1, 3)):
    return x + offset


def case_default(x: jax.Array):
    return (with_default(x) == with_default(x)).all()


class Noise:
    def __init__(self, scale: float = 1.0, *, key):
        self.keys = KeySequence(key)
        self.scale = scale
        self.bias = jax.random.uniform(next(self.keys), 3)

    def __call__(self, x: jax.Array, *, key):
        return x + self.scale * jax.random.normal(key, x.shape, x.dtype)

    def __getitem__(self, i: int):
        return jax.random.uniform(next(self.keys), 3) + i

    def __iter__(self):
        for _ in range(2):
            yield jax.random.uniform(next(self.keys), 3)

    @property
    def sample(self):
        return self.scale * jax.random.uniform(next(self.keys), 3)

    @classmethod
    def made(cls, *, key):
        cls_key, rand_key = jax.random.split(key)
        return cls(float(jax.random.uniform(rand_key, ())), key=cls_key)

    @staticmethod
    def drawn(*, key):
        return jax.random.uniform(key, 3)


def case_objects(x: jax.Array, *, key):
    key, subkey = jax.random.split(key)
    noise = Noise(key=subkey)
    a, b = noise
    key, noise_key, noise_key_1, noise_key_2, made_key, drawn_key, drawn_key_1 = jax.random.split(key, 7)
    return (
        meet(noise(x, key=noise_key), noise(x, key=noise_key_1)),
        meet(noise[0], noise[0]),
        meet(noise.sample, noise.sample),
        meet(a, b),
        meet(noise.bias, Noise(key=noise_key_2).bias),
        Noise.made(key=made_key).scale < 1,
        meet(Noise.drawn(key=drawn_key), noise.drawn(key=drawn_key_1)),
    )


class Shaken(Noise):
    def __getitem__(self, i: int):
        return super().__getitem__(i) + jax.random.uniform(next(self.keys), 3)


def case_inherited(x: jax.Array, *, key):
    noise_key, noise_key_1 = jax.random.split(key)
    noise = Shaken(0.5, key=noise_key)
    return meet(noise[1], noise[1]), meet(noise.sample, noise(x, key=noise_key_1))


class Bare:
    def __getitem__(self, i: int, *, key):
        # torch2jax: T2J400 `torch.rand` draws random numbers in `__getitem__`, which Python calls, where no key can be passed
        return torch.rand(3)  # T2J400


def case_nothing_keeps_keys():
    return Bare()[0]


# random
def case_star_arguments(n: int, *, key):
    sizes = (n, n)
    return jax.random.uniform(key, (3, *sizes)), jnp.zeros(2)


def spread(*xs, key, **options):
    return [x + jax.random.uniform(subkey, 3) for x, subkey in zip(xs, jax.random.split(key, len(xs)))]


def case_star_parameters(x: jax.Array, *, key):
    a, b = spread(x, x, key=key)
    return meet(a, b)


# random
def case_walrus(*, key):
    rand_key, rand_key_1 = jax.random.split(key)
    if (x := jax.random.uniform(rand_key, ())) > 0.5:
        return x
    return jax.random.uniform(rand_key_1, ())


def case_default_of_lambda(x: jax.Array, *, key):
    shifted_key, rand_key = jax.random.split(key)
    shifted = lambda t, offset=jax.random.uniform(shifted_key, 3): t + offset
    return (shifted(x) == shifted(x)).all(), meet(shifted(x), jax.random.uniform(rand_key, 3))


def case_callback_of_sort(n: int, *, key):
    keys = KeySequence(key)
    numbers = list(range(n + 2))
    numbers.sort(key=lambda i: jax.random.uniform(next(keys), ()).item())
    return sorted(numbers)


# random
def case_reduced(n: int, *, key):
    keys = KeySequence(key)
    return functools.reduce(lambda a, b: a + jax.random.uniform(next(keys), 2), range(n), jnp.zeros(2))
