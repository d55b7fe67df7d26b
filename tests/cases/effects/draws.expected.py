"""Draws in straight code, branches and loops: every draw has a key of its own."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.activations import dropout, gumbel_softmax
from torch2jax.runtime.keys import KeySequence
from torch2jax.runtime.reductions import norm, sort
from torch2jax.runtime.sampling import normal_around, poisson, randint_like


# random
def case_one(x: jax.Array, *, key):
    return x + jax.random.uniform(key, 3)


# random
def case_several(n: int, *, key):
    a_key, b_key, c_key = jax.random.split(key, 3)
    a = jax.random.uniform(a_key, n)
    b = jax.random.normal(b_key, n)
    c = jax.random.randint(c_key, (n,), 0, 10)
    return a, b, c


def case_several_differ(*, key):
    a_key, b_key, rand_key, rand_key_1, rand_key_2, rand_key_3 = jax.random.split(key, 6)
    a = jax.random.uniform(a_key, 4)
    b = jax.random.uniform(b_key, 4)
    c, d = jax.random.uniform(rand_key, 4), jax.random.uniform(rand_key_1, 4)
    return (a == b).any(), (a == c).any(), (c == d).any(), (a + jax.random.uniform(rand_key_2, 4) == a + jax.random.uniform(rand_key_3, 4)).any()


# random
def case_methods(x: jax.Array, *, key):
    noise_key, mask_key, draw_key, draw_key_1 = jax.random.split(key, 4)
    noise = jax.random.uniform(noise_key, (2, 3), minval=-1, maxval=1)
    x = x + noise
    mask = jax.random.bernoulli(mask_key, 0.5, 3).astype(jnp.float32)
    return x * mask, jax.random.exponential(draw_key, 4) / 2.0, 1.0 + 0.5 * jax.random.normal(draw_key_1, 3)


# random
def case_like(x: jax.Array, *, key):
    rand_like_key, randn_like_key, randint_like_key, normal_key = jax.random.split(key, 4)
    return jax.random.uniform(rand_like_key, x.shape, x.dtype), jax.random.normal(randn_like_key, x.shape, x.dtype), randint_like(randint_like_key, x, 0, 5), normal_around(normal_key, x, 0.1)


# random
def case_choices(*, key):
    multinomial_key, bernoulli_key, poisson_key = jax.random.split(key, 3)
    weights = jnp.array([0.1, 0.2, 0.7])
    return jax.random.categorical(multinomial_key, jnp.log(weights))[..., None], jax.random.bernoulli(bernoulli_key, weights).astype(weights.dtype), poisson(poisson_key, weights * 10)


def case_permutation(n: int, *, key):
    order = jax.random.permutation(key, n + 3)
    return sort(order).values


# random
def case_gumbel(x: jax.Array, *, key):
    u_key, gumbel_softmax_key = jax.random.split(key)
    u = jax.random.uniform(u_key, x.shape, x.dtype)
    gumbel = -jnp.log(-jnp.log(u + 1e-9) + 1e-9)
    return gumbel_softmax(x, tau=0.5, key=gumbel_softmax_key), (x + gumbel).argmax(axis=-1)


# random
def case_dropout(x: jax.Array, *, key):
    dropout_key, dropout_key_1 = jax.random.split(key)
    return dropout(x, key=dropout_key), dropout(x, key=dropout_key_1)


def case_dropout_in_inference(x: jax.Array, flag: bool, *, key=None):
    return x + dropout(x, key=key, inference=flag)


# random
def case_branches(x: jax.Array, flag: bool, *, key):
    if flag:
        x = x + jax.random.uniform(key, 3)
    else:
        x = x - jax.random.normal(key, 3)
    return x


# random
def case_early_return(x: jax.Array, flag: bool, *, key):
    rand_key, y_key, rand_key_1 = jax.random.split(key, 3)
    if not flag:
        return x + jax.random.uniform(rand_key, 3)
    y = jax.random.normal(y_key, 3)
    return y + jax.random.uniform(rand_key_1, 3)


# random
def case_elif(n: int, *, key):
    rand_key, rand_key_1 = jax.random.split(key)
    if n == 0:
        return jnp.zeros(2)
    elif jax.random.uniform(rand_key, ()) > 0.5:
        return jnp.ones(2)
    return jax.random.uniform(rand_key_1, 2)


# random
def case_conditional_expression(flag: bool, *, key):
    return jax.random.uniform(key, 2) if flag else jax.random.normal(key, 2)


def case_loop(n: int, *, key):
    draws = []
    for i in range(n + 2):
        if i == 1:
            continue
        key, subkey = jax.random.split(key)
        draws.append(jax.random.uniform(subkey, 3))
        if i == 10:
            break
    a, b = draws[0], draws[1]
    return (a == b).any(), len(draws)


# random
def case_nested_loops(n: int, *, key):
    total = jnp.zeros(2)
    for _ in range(n):
        for _ in range(n):
            key, subkey = jax.random.split(key)
            total = total + jax.random.normal(subkey, 2)
        key, subkey = jax.random.split(key)
        total = total * jax.random.uniform(subkey, ())
    return total


# random
def case_while(*, key):
    x = jnp.zeros(())
    steps = 0
    while x < 2:
        key, subkey = jax.random.split(key)
        x = x + jax.random.uniform(subkey, ())
        steps += 1
    return steps


# random
def case_test_of_while(*, key):
    keys = KeySequence(key)
    count = 0
    while jax.random.uniform(next(keys), ()) < 0.5:
        count += 1
    return count


# random
def case_retries(*, key):
    for _ in range(100):
        key, subkey = jax.random.split(key)
        candidate = jax.random.normal(subkey, 2)
        if norm(candidate) > 1:
            break
    else:
        candidate = jnp.zeros(2)
    return candidate


def case_try(*, key):
    a_key, b_key, c_key = jax.random.split(key, 3)
    try:
        a = jax.random.uniform(a_key, 2)
        raise ValueError
    except ValueError:
        b = jax.random.uniform(b_key, 2)
    finally:
        c = jax.random.uniform(c_key, 2)
    return (a == b).any(), (b == c).any()


# random
def case_with(x: jax.Array, *, key):
    noise_key, x_key = jax.random.split(key)
    noise = jax.random.normal(noise_key, 3)
    x = x + noise * jax.random.uniform(x_key, ())
    x = jax.lax.stop_gradient(x)
    return x


# random
def case_many(*, key):
    key, subkey = jax.random.split(key)
    a = jax.random.uniform(subkey, 1)
    key, subkey = jax.random.split(key)
    b = jax.random.uniform(subkey, 1)
    key, subkey = jax.random.split(key)
    c = jax.random.uniform(subkey, 1)
    key, subkey = jax.random.split(key)
    d = jax.random.uniform(subkey, 1)
    key, subkey = jax.random.split(key)
    e = jax.random.uniform(subkey, 1)
    key, subkey = jax.random.split(key)
    f = jax.random.uniform(subkey, 1)
    key, subkey = jax.random.split(key)
    g = jax.random.uniform(subkey, 1)
    return a + b + c + d + e + f + g


# random
def case_match(n: int, *, key):
    match n:
        case 0:
            return jnp.zeros(2)
        case 2:
            return jax.random.uniform(key, 2)
        case _:
            return jax.random.normal(key, 2)


# random
def case_chained(x: jax.Array, *, key):
    y_key, y_key_1 = jax.random.split(key)
    y = ((x + jax.random.uniform(y_key, 3)) * jax.random.uniform(y_key_1, 3)).sum()
    return y


# random
def case_augmented(x: jax.Array, *, key):
    randn_key, rand_key = jax.random.split(key)
    x += jax.random.normal(randn_key, 3)
    x = x.at[0].multiply(jax.random.uniform(rand_key, 3))
    return x
