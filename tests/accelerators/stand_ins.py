"""What `accelerate` and `lightning.fabric` do on one process, in full precision, as far as the programs here use them."""

import contextlib
import logging
import random

import numpy as np
import torch


class _Prepared:
    """An optimizer or a schedule, which steps where an accumulation is complete."""

    def __init__(self, accelerator, inner):
        self.accelerator, self.inner = accelerator, inner

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def step(self):
        if self.accelerator.sync_gradients:
            self.inner.step()

    def zero_grad(self, set_to_none=True):
        if self.accelerator.sync_gradients:
            self.inner.zero_grad(set_to_none)


class _Loader:
    """A loader that tells its last batch."""

    def __init__(self, accelerator, inner):
        self.accelerator, self.inner = accelerator, inner

    def __len__(self):
        return len(self.inner)

    def __iter__(self):
        for number, batch in enumerate(self.inner):
            self.accelerator.is_last = number + 1 == len(self.inner)
            yield batch
            self.accelerator.is_last = False


class Accelerator:
    device = torch.device("cpu")
    is_main_process = is_local_main_process = sync_gradients = True
    num_processes, process_index, mixed_precision, state = 1, 0, "no", "one process"
    print = staticmethod(print)

    def __init__(self, gradient_accumulation_steps=1, **options):
        assert options.get("mixed_precision", "no") == "no" and options.get("log_with") is None
        self.count, self.passes, self.is_last = gradient_accumulation_steps, 0, False

    def prepare(self, *given):
        made = tuple(map(self._prepared, given))
        return made if len(made) > 1 else made[0]

    def _prepared(self, item):
        if isinstance(item, torch.utils.data.DataLoader):
            return _Loader(self, item)
        return _Prepared(self, item) if hasattr(item, "step") else item

    def backward(self, loss):
        (loss / self.count).backward()

    def clip_grad_norm_(self, parameters, size):
        return torch.nn.utils.clip_grad_norm_(parameters, size)

    def gather(self, x):
        return x

    unwrap_model = gather_for_metrics = gather

    def get_state_dict(self, model):
        return model.state_dict()

    def save(self, x, path):
        torch.save(x, path)

    def _nothing(self, *given, **named):
        return contextlib.nullcontext()

    autocast = no_sync = main_process_first = _nothing
    wait_for_everyone = end_training = log = init_trackers = _nothing

    def accumulate(self, *models):
        self.passes = 0 if self.is_last else self.passes + 1
        self.sync_gradients = self.passes % self.count == 0
        return contextlib.nullcontext()


class Fabric:
    is_global_zero, global_rank, world_size = True, 0, 1
    print = staticmethod(print)

    def __init__(self, accelerator="auto", devices=1, strategy="auto"):
        assert devices == 1

    def _nothing(self, *given, **named):
        return contextlib.nullcontext()

    launch = barrier = log_dict = _nothing
    rank_zero_first = init_module = no_backward_sync = _nothing

    def setup(self, *given):
        return given if len(given) > 1 else given[0]

    setup_module = setup_optimizers = setup_dataloaders = setup

    def all_reduce(self, x, reduce_op="mean"):
        return x

    def seed_everything(self, seed):
        set_seed(seed)

    def backward(self, loss):
        loss.backward()

    def clip_gradients(self, module, optimizer, clip_val=None, max_norm=None):
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        if max_norm is not None:
            torch.nn.utils.clip_grad_norm_(parameters, max_norm)
        else:
            torch.nn.utils.clip_grad_value_(parameters, clip_val)

    def save(self, path, state):
        torch.save(
            {key: item.state_dict() if hasattr(item, "state_dict") else item for key, item in state.items()}, path
        )

    def load(self, path, state=None):
        found = torch.load(path)
        for key, item in (state or {}).items():
            item.load_state_dict(found.pop(key))
        return found


def set_seed(seed):
    torch.manual_seed(seed)
    np.random.seed(seed)
    random.seed(seed)


def get_logger(name, log_level=None):
    class Logger(logging.LoggerAdapter):
        def process(self, message, named):
            return message, {key: item for key, item in named.items() if key != "main_process_only"}

    return Logger(logging.getLogger(name), {})


MODULES = {
    "accelerate": {"Accelerator": Accelerator},
    "accelerate.logging": {"get_logger": get_logger},
    "accelerate.utils": {"ProjectConfiguration": dict, "set_seed": set_seed},
    "lightning": {},
    "lightning.fabric": {"Fabric": Fabric},
}
