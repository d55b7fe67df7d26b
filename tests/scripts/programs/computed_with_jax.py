"""A program that computes with JAX already, and takes nothing of torch but its writer for TensorBoard."""

import sys

import jax.numpy as jnp


def normalized(entry):
    values = entry["values"]
    return (values - values.mean()) / (values.std() + 1e-8)


def first(entry):
    return entry["values"].squeeze(1).max()


def write(folder, number):
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(folder)
    writer.add_scalar("first", number, 1)
    writer.close()


x = jnp.array([[1.0], [2.0], [4.0]])
print(normalized({"values": x}).tolist())
print(first({"values": x}).item())
if len(sys.argv) > 1:
    write(sys.argv[1], first({"values": x}).item())
