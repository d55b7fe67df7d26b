"""Switches of torch's kernels, streams, marks for profilers and questions about memory: left out, or answered for JAX."""

import jax.numpy as jnp
from torch2jax.runtime.device_queries import thread_count
from torch2jax.runtime.timing import Stream, synchronize

hooks = [synchronize, lambda: None]


def fast(x):
    before = False
    stream = Stream()
    y = x @ jnp.ones((3, 2))
    Stream().wait_stream(stream)
    return y


def told():
    # torch2jax: T2J200 `torch.backends.cudnn.benchmark` has no translation yet: assignments to switches of torch's kernels are left out, and this one is read
    if cudnn.benchmark:  # T2J200
        print("slow start")
    # torch2jax: T2J200 `torch.backends.cudnn.deterministic` has no translation yet: assignments to switches of torch's kernels are left out, and this one is read
    print(True, cudnn.deterministic)  # T2J200
    print(None, thread_count(), (0, 0, 0))
    return 'highest'


compiled = fast


def plain(x):
    return compiled(x)
