"""What torchrun says of the processes, asked several times."""

import os

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    print(int(os.environ["WORLD_SIZE"]) * 10 + int(os.environ["WORLD_SIZE"]))
    print(os.environ["WORLD_SIZE"] + os.environ["WORLD_SIZE"], int(os.environ["RANK"]), int(os.environ["RANK"]))
    print(torch.ones(2).tolist(), dist.get_backend(), dist.get_default_backend_for_device(torch.device("cpu")))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
