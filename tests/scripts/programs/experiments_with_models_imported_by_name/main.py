# also: nnx, linen
"""Experiments whose model is asked of a dict that imports the file with its class when it is first asked for."""

import argparse
import random
import torch
from exp.exp_forecast import Exp_Forecast

if __name__ == "__main__":
    torch.manual_seed(2021)
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=str, default="Deep")
    parser.add_argument("--task_name", type=str, default="forecast")
    parser.add_argument("--seq_len", type=int, default=6)
    parser.add_argument("--pred_len", type=int, default=3)
    parser.add_argument("--learning_rate", type=float, default=0.01)
    parser.add_argument("--train_epochs", type=int, default=3)
    args = parser.parse_args([])
    for model in ("Deep", "Lin", "Norm", "Mean"):
        args.model = model
        exp = Exp_Forecast(args)
        exp.train()
        exp.test()
