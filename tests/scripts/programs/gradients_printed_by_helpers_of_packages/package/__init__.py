from .engine import plot_grad_flow, log_gradients, norms
