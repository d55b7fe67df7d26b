"""Times of computations, which JAX starts without waiting for them."""

import time

import jax


def synchronize(device=None):
    """torch.cuda.synchronize: wait for all that was asked for before."""
    jax.block_until_ready(jax.live_arrays())


class TimedEvent:
    """torch.cuda.Event: the time when all that was asked for before has been computed."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        self.time = None

    def record(self, stream=None):
        jax.block_until_ready(jax.live_arrays())
        self.time = time.perf_counter()

    def synchronize(self):
        """There is nothing to wait for: `record` has waited."""

    def wait(self, stream=None):
        """There is nothing to wait for: `record` has waited."""

    def query(self):
        return True

    def elapsed_time(self, end_event):
        return (end_event.time - self.time) * 1e3


class Stream:
    """torch.cuda.Stream: XLA orders computations by their data, so that there is nothing to order, only to wait for."""

    def __init__(self, device=None, priority=0):
        self.device = device

    def synchronize(self):
        jax.block_until_ready(jax.live_arrays())

    def query(self):
        return True

    def wait_stream(self, stream):
        """What was asked for before is computed before."""

    def wait_event(self, event):
        """What was asked for before is computed before."""

    def record_event(self, event=None):
        event = TimedEvent() if event is None else event
        event.record(self)
        return event

    def __enter__(self):
        return self

    def __exit__(self, *error):
        """Nothing is to be left."""
