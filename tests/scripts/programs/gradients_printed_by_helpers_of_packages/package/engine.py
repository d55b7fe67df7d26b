


def plot_grad_flow(named_parameters):
    ave_grads, max_grads, layers = [], [], []
    for n, p in named_parameters:
        if p.requires_grad and ("bias" not in n):
            layers.append(n)
            ave_grads.append(p.grad.abs().mean().item())
            max_grads.append(p.grad.abs().max().item())
    print(layers, ave_grads, max_grads)


def log_gradients(named, rows, step):
    for name, param in named:
        if param.grad is not None:
            rows.append((step, name, round(param.grad.norm().item(), 4)))


def norms(parameters):
    total = 0.0
    for p in parameters:
        total += p.grad.data.norm(2).item() ** 2
    return total**0.5
