"""What a translation for several devices reads like: the text of a plain program, in both renderings, without support code."""

import pytest

import torch2jax
from torch2jax.options import Options, Parallel

PROGRAM = '''"""Data-parallel training."""

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()

    torch.manual_seed(0)
    x = torch.randn(1024, 16)
    dataset = TensorDataset(x, x.sum(dim=1, keepdim=True))
    sampler = DistributedSampler(dataset, num_replicas=world_size, rank=rank, shuffle=True)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)

    model = DDP(nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = F.mse_loss(model(inputs), targets)
            loss.backward()
            optimizer.step()
        dist.all_reduce(loss, op=dist.ReduceOp.AVG)
        if rank == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
'''

STEP = """def train_step(optimizer, model, opt_state, inputs, targets):
    def loss_fn(model):
        return mse_loss(batched(model)(inputs), targets)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    grads = jax.lax.pmean(grads, "data")
    loss = each(loss)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss
"""

LOOP = """    for epoch in range(3):
        sampler.set_epoch(epoch)
        for inputs, targets in loader:
            model, opt_state, loss = train_step(optimizer, model, opt_state, inputs, targets)
        loss = loss.mean(axis=0)
        if rank == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")
"""


@pytest.mark.parametrize(
    ("parallel", "decorator"), [("sharding", '@data_parallel(donate="all-except-first")'), ("pmap", "@pmapped")]
)
def test_reads_like_a_program_for_devices(parallel: Parallel, decorator: str) -> None:
    conversion = torch2jax.convert(PROGRAM, Options(support="import", parallel=parallel))
    assert not conversion.diagnostics
    assert f"\n\n\n{decorator}\n{STEP}\n\ndef main():\n    init_process_group()\n" in conversion.text
    assert conversion.text.endswith(f'{LOOP}\n\nif __name__ == "__main__":\n    main()\n')
    assert "torch." not in conversion.text.replace("torch2jax.", "")
    assert len(conversion.text.splitlines()) <= len(PROGRAM.splitlines()) + 16
