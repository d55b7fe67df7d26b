"""Times of computations, which JAX starts without waiting for them."""

import time

import jax


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
