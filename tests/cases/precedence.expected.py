import jax


def mixed(x: jax.Array, y: jax.Array):
    a = (x + y) * 2
    b = 3 - (x - y)
    c = -(x + y)
    d = (-x) ** 2
    e = (x + y)[0]
    f = (x != y) == (x == y)
    g = not x + y
    h = (x + y).sum()
    return a, b, c, d, e, f, g, h
