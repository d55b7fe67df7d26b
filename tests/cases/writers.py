"""What stands around training: writers of TensorBoard and events that take the time."""

import torch
from torch.utils.tensorboard import SummaryWriter


def log(losses, model, run):
    writer = SummaryWriter(log_dir=f"runs/{run}", flush_secs=30)
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for step, loss in enumerate(losses):
        writer.add_scalar("loss/train", loss.item(), step)
        writer.add_scalars("both", {"a": 1, "b": 2}, global_step=step)
    end.record()
    torch.cuda.synchronize()
    print(start.elapsed_time(end))
    writer.add_graph(model, torch.ones(1, 2))
    writer.add_embedding(torch.ones(1, 2))  # T2J200
    writer.close()


class Trainer:
    def __init__(self, writer: SummaryWriter | None = None):
        self.writer = writer or SummaryWriter()

    def log(self, name, value, step):
        self.writer.add_scalar(name, value, step)
        self.writer.flush()
