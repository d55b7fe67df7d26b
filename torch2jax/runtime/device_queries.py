"""What JAX tells of a device and its memory."""

import os

import jax

from torch2jax.runtime.open_receivers import device_at


def memory_count(name, device=None):
    """One of the numbers of bytes that JAX keeps count of for a device; 0 where it keeps none."""
    return ((device_at(device) or jax.devices()[0]).memory_stats() or {}).get(name, 0)


def free_and_total_memory(device=None):
    """torch.cuda.mem_get_info: of the memory that JAX may take."""
    limit = memory_count("bytes_limit", device)
    return limit - memory_count("bytes_in_use", device), limit


def thread_count():
    """torch.get_num_threads: XLA takes its threads from the machine."""
    return os.cpu_count()


class DeviceProperties:
    """torch.cuda.get_device_properties; the memory is what JAX may take."""

    def __init__(self, device=None):
        self.device = device_at(device) or jax.devices()[0]

    @property
    def name(self):
        return self.device.device_kind

    @property
    def total_memory(self):
        return memory_count("bytes_limit", self.device)

    @property
    def major(self):
        return int(self.device.compute_capability.split(".")[0])

    @property
    def minor(self):
        return int(self.device.compute_capability.split(".")[1])

    @property
    def multi_processor_count(self):
        return self.device.core_count
