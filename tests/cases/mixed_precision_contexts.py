import torch


def f(x: torch.Tensor, device: str, enabled: bool):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        x = x @ x
    with torch.autocast("cpu", enabled=False):
        x = x @ x
    with torch.autocast("cpu", dtype=torch.bfloat16):  # T2J200
        x = x @ x
    with torch.autocast(device_type=device, enabled=enabled):
        x = x @ x
    return x


scaler = torch.amp.GradScaler("cpu")  # T2J201
