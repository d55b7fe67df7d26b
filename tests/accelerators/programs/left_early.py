"""A loop that is left when enough steps have been made, in the middle of an accumulation or not."""

import math
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.logging import get_logger
from accelerate.utils import ProjectConfiguration, set_seed
from torch.utils.data import DataLoader, TensorDataset

logger = get_logger(__name__, log_level="INFO")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 3)

    def forward(self, x):
        return self.b(F.silu(self.a(x)))


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))


def main():
    output_dir, accumulation, max_steps = "out", 2, 6
    accelerator = Accelerator(
        gradient_accumulation_steps=accumulation,
        mixed_precision="no",
        log_with=None,
        project_config=ProjectConfiguration(project_dir=output_dir),
        cpu=True,
    )
    logger.info(accelerator.state, main_process_only=False)
    set_seed(0)
    if accelerator.is_main_process:
        Path(output_dir).mkdir(exist_ok=True)
    net = Net()
    fill(net)
    net.to(accelerator.device)
    params = filter(lambda p: p.requires_grad, net.parameters())
    optimizer = torch.optim.AdamW(params, lr=0.01, betas=(0.9, 0.999), weight_decay=0.01)
    x = torch.sin(torch.arange(60.0)).reshape(20, 3)
    dataloader = DataLoader(TensorDataset(x), shuffle=False, batch_size=4)
    net, optimizer, dataloader = accelerator.prepare(net, optimizer, dataloader)
    print(math.ceil(len(dataloader) / accumulation))
    if accelerator.is_main_process:
        accelerator.init_trackers("demo", config={"a": 1})
    total_batch_size = 4 * accelerator.num_processes * accumulation
    logger.info(f"  Total batch = {total_batch_size}")
    weight_dtype = torch.float32
    if accelerator.mixed_precision == "fp16":
        weight_dtype = torch.float16
    global_step = 0
    while global_step < max_steps:
        for batch in dataloader:
            with accelerator.accumulate(net):
                (clean,) = batch
                clean = clean.to(accelerator.device, dtype=weight_dtype)
                pred = net(clean)
                loss = F.mse_loss(pred.float(), clean.float(), reduction="mean")
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(net.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
            if accelerator.sync_gradients:
                global_step += 1
                if global_step % 3 == 0 and accelerator.is_main_process:
                    torch.save(accelerator.unwrap_model(net).state_dict(), Path(output_dir) / "net.pt")
            logs = {"loss": loss.detach().item(), "step": global_step}
            accelerator.log(logs, step=global_step)
            print(f"{logs['loss']:.5f} {global_step}")
            if global_step >= max_steps:
                break
    accelerator.wait_for_everyone()
    accelerator.end_training()


if __name__ == "__main__":
    main()
