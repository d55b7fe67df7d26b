"""Switches of torch's kernels, streams, marks for profilers and questions about memory: left out, or answered for JAX."""

import torch
import torch.backends.cudnn as cudnn

torch.backends.cuda.enable_flash_sdp(False)
torch._dynamo.config.suppress_errors = True
torch.cuda.reset_peak_memory_stats()
hooks = [torch.cuda.synchronize, lambda: torch.cuda.empty_cache()]


def fast(x):
    before = cudnn.benchmark
    cudnn.benchmark = True
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda.nvtx.range_push("product")
        y = x @ torch.ones(3, 2)
        torch.cuda.nvtx.range_pop()
    torch.cuda.current_stream().wait_stream(stream)
    y.record_stream(stream)
    cudnn.benchmark = before
    return y


def told():
    cudnn.deterministic = True
    if cudnn.benchmark:  # T2J200
        print("slow start")
    print(cudnn.enabled, cudnn.deterministic)  # T2J200
    print(torch.backends.cudnn.version(), torch.get_num_threads(), torch.cuda.nccl.version())
    with torch.autograd.detect_anomaly():
        return torch.get_float32_matmul_precision()


compiled = torch.compile(fast, backend="inductor", options={"max_autotune": True})


@torch._dynamo.disable
def plain(x):
    return compiled(x)
