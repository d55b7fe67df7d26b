"""Events take the time of what has been computed."""

import time

import jax
import jax.numpy as jnp

from torch2jax.runtime.timing import Stream, TimedEvent, synchronize


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


def test_streams_wait_for_what_was_asked_for() -> None:
    stream, other = Stream(), Stream(priority=-1)
    with stream:
        made = jnp.ones(3) + 1
    other.wait_stream(stream)
    event = stream.record_event()
    other.wait_event(event)
    stream.synchronize()
    synchronize()
    assert stream.query()
    assert event.query()
    assert float(made.sum()) == 6
