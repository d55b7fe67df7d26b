"""Events take the time of what has been computed."""

import time

import jax
import jax.numpy as jnp

from torch2jax.runtime.timing import TimedEvent


def test_elapsed_time():
    step = jax.jit(lambda x: x + 1, donate_argnums=0)
    start, end = TimedEvent(enable_timing=True), TimedEvent(enable_timing=True)
    start.record()
    x = step(jnp.ones(3))
    time.sleep(0.02)
    x = step(x)
    end.record()
    end.synchronize()
    assert end.query() and 20 <= start.elapsed_time(end) < 5000
