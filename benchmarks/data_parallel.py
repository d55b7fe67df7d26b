"""What a step on several devices costs: the translation's beside one written by hand, and one device beside two.

`python -m benchmarks.data_parallel [--devices 8]` prints milliseconds for each step, their ratio, and the scaling.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_PROGRAM = """
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()


dist.init_process_group("gloo")
model = DistributedDataParallel(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh(), nn.Linear(WIDTH, WIDTH), nn.Tanh(), nn.Linear(WIDTH, 1)))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
if __name__ == "__main__":
    train(model, optimizer, torch.ones(8, WIDTH), torch.ones(8, 1))
"""
_WIDTH, _ROWS, _STEPS = 256, 256, 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run is not None:
        _measure(Path(options.run))
        return
    import torch2jax
    from torch2jax.options import Options

    with tempfile.TemporaryDirectory() as folder:
        for parallel in ("sharding", "pmap"):
            text = _PROGRAM.replace("WIDTH", str(_WIDTH))
            found = torch2jax.convert(text, Options(parallel="pmap" if parallel == "pmap" else "sharding"))
            assert found.ok, found.diagnostics
            place = Path(folder) / f"{parallel}.py"
            place.write_text(found.text, encoding="utf-8")
            told = {count: _times(place, count) for count in (1, 2, options.devices)}
            ours, by_hand = told[options.devices]
            print(
                f"{parallel}: {ours:.2f} ms, by hand {by_hand:.2f} ms on {options.devices} devices: {ours / by_hand:.2f}"
            )
            print(f"{parallel}: from one device to two {told[1][0] / told[2][0]:.2f} times as fast")


def _times(place: Path, count: int) -> tuple[float, float]:
    flags = f"--xla_force_host_platform_device_count={count}"
    command = [sys.executable, "-m", "benchmarks.data_parallel", "--run", str(place)]
    env = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    ours, by_hand = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout.split()
    return float(ours), float(by_hand)


def _measure(place: Path) -> None:
    """Print the medians of both steps, which take turns, so that a busy machine slows both."""
    import runpy

    import jax
    import numpy as np
    from jax.sharding import NamedSharding, PartitionSpec

    found = runpy.run_path(str(place))
    mesh = jax.sharding.Mesh(np.asarray(jax.devices()), ("data",))
    rows = NamedSharding(mesh, PartitionSpec("data"))
    x = jax.device_put(np.cos(np.arange(_ROWS * _WIDTH, dtype=np.float32)).reshape(_ROWS, _WIDTH), rows)
    y = jax.device_put(np.ones((_ROWS, 1), np.float32), rows)
    step, update = _by_hand(mesh)
    ours, theirs = (found["model"], found["opt_state"]), step
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(_STEPS):
        started = time.perf_counter()
        ours = jax.block_until_ready(found["train"](ours[0], found["optimizer"], ours[1], x, y))
        between = time.perf_counter()
        theirs = jax.block_until_ready(update(*theirs, x, y))
        times[0].append(between - started)
        times[1].append(time.perf_counter() - between)
    print(*(1000 * statistics.median(item[10:]) for item in times))


def _by_hand(mesh):  # type: ignore[no-untyped-def]
    """The first parameters and state, and a step, as one writes them for a mesh: the compiler shares out the work."""
    import functools

    import jax
    import jax.numpy as jnp
    import optax
    from jax.sharding import NamedSharding, PartitionSpec

    keys = jax.random.split(jax.random.key(0), 3)
    sizes = [(_WIDTH, _WIDTH), (_WIDTH, _WIDTH), (_WIDTH, 1)]
    params = [
        (jax.random.normal(key, size) / size[0] ** 0.5, jnp.zeros(size[1]))
        for key, size in zip(keys, sizes, strict=True)
    ]
    optimizer = optax.adamw(1e-3, weight_decay=0.01)
    everywhere = NamedSharding(mesh, PartitionSpec())

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def update(params, state, x, y):  # type: ignore[no-untyped-def]
        def loss(params):  # type: ignore[no-untyped-def]
            h = x
            for number, (weight, bias) in enumerate(params):
                h = h @ weight + bias
                h = jnp.tanh(h) if number < 2 else h
            return jnp.mean((h - y) ** 2)

        grads = jax.grad(loss)(params)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state

    return jax.device_put((params, optimizer.init(params)), everywhere), update


if __name__ == "__main__":
    main()
