# also: nnx, linen
import argparse

from forecast import Forecast

parser = argparse.ArgumentParser(description="forecast")
parser.add_argument("--model", type=str, default="linear")
parser.add_argument("--seq_len", type=int, default=6)
parser.add_argument("--pred_len", type=int, default=4)
parser.add_argument("--dropout", type=float, default=0.0)
parser.add_argument("--learning_rate", type=float, default=0.02)
parser.add_argument("--lradj", type=str, default="halved")
parser.add_argument("--patience", type=int, default=2)
parser.add_argument("--train_epochs", type=int, default=5)
parser.add_argument("--use_amp", action="store_true", default=False)
parser.add_argument("--use_gpu", type=bool, default=False)
parser.add_argument("--use_multi_gpu", action="store_true", default=False)
parser.add_argument("--device_ids", type=list, default=[0])

Exp = Forecast
for model, lradj in (("linear", "halved"), ("normed", "listed")):
    args = parser.parse_args(["--model", model, "--lradj", lradj])
    exp = Exp(args)
    exp.train(f"{model}.pth")
    exp.test()
