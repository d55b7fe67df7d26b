"""What stands around training: writers of TensorBoard and events that take the time."""

import jax.numpy as jnp
from torch2jax.runtime.event_files import SummaryWriter
from torch2jax.runtime.timing import TimedEvent


def log(losses, model, run):
    writer = SummaryWriter(log_dir=f"runs/{run}", flush_secs=30)
    start, end = TimedEvent(enable_timing=True), TimedEvent(enable_timing=True)
    start.record()
    for step, loss in enumerate(losses):
        writer.add_scalar("loss/train", loss.item(), step)
        writer.add_scalars("both", {"a": 1, "b": 2}, global_step=step)
    end.record()
    print(start.elapsed_time(end))
    writer.add_graph(model, jnp.ones((1, 2)))
    # torch2jax: T2J200 `torch.utils.tensorboard.SummaryWriter.add_embedding` has no translation yet: the translated writer has add_scalar, add_scalars, add_text, add_histogram, add_image, add_images, add_audio and add_figure (add_graph does nothing): use tensorboardX for the rest
    writer.add_embedding(torch.ones(1, 2))  # T2J200
    writer.close()


class Trainer:
    def __init__(self, writer: SummaryWriter | None = None):
        self.writer = writer or SummaryWriter()

    def log(self, name, value, step):
        self.writer.add_scalar(name, value, step)
        self.writer.flush()
