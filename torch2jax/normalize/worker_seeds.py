"""The seed of torch's generator in a worker of a loader is the one that the loader has drawn for it.

def seed_worker(worker_id):                     ->   def seed_worker(worker_id):
    np.random.seed(torch.initial_seed() % 2**32)         np.random.seed(torch.utils.data.get_worker_info().seed % 2**32)

loader = DataLoader(data, num_workers=4, worker_init_fn=seed_worker)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Program, dotted
from torch2jax.syntax.edits import always
from torch2jax.syntax.quote import quote

_SEEDS = ("torch.initial_seed", "torch.random.initial_seed")
_STARTS = "worker_init_fn"


def normalize_worker_seeds(work: NormalizationRound) -> None:
    """Normalize the functions that start workers in a loader of the program."""
    if not work.program.mentions("initial_seed"):
        return
    given = [value for file in work.program.files for value in _given(file)]
    starters = {(dotted(value) or "").rpartition(".")[2] for value in given}
    starters |= {key for value in given for key in work.values(value).types}
    for call in work.index.calls:
        function = work.program.function_around(call)
        if (
            work.values.torch_name(call.func) in _SEEDS
            and function is not None
            and {function.name, function.key} & starters
        ):
            if not function.callers and (torch := work.torch_alias()) is not None:
                work.edits.replace(call, always(quote(f"{torch}.utils.data.get_worker_info().seed")))


def _given(file: Program) -> list[cst.BaseExpression]:
    """What starts workers."""
    arguments = (argument for call in file.index.calls if file.mentions(_STARTS) for argument in call.args)
    return [item.value for item in arguments if item.keyword is not None and item.keyword.value == _STARTS]


__all__ = ["normalize_worker_seeds"]
