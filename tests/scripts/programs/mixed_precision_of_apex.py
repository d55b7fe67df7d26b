# also: nnx, linen
import argparse

import torch
import torch.nn as nn

try:
    from apex import amp

    has_apex = True
except ImportError:
    has_apex = False


def train(args, model, optimizer, criterion, data):
    for step, (x, y) in enumerate(data):
        loss = criterion(model(x), y)
        if args.accumulate > 1:
            loss = loss / args.accumulate
        if args.fp16:
            with amp.scale_loss(loss, optimizer) as scaled_loss:
                scaled_loss.backward()
        else:
            loss.backward()
        if args.fp16:
            torch.nn.utils.clip_grad_norm_(amp.master_params(optimizer), args.clip)
        else:
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fp16", action="store_true")
    parser.add_argument("--opt_level", default="O1")
    parser.add_argument("--accumulate", type=int, default=1)
    parser.add_argument("--clip", type=float, default=0.1)
    args = parser.parse_args([])
    model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))
    for i, p in enumerate(model.parameters()):
        nn.init.constant_(p, 0.1 * (i + 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    if args.fp16:
        model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level)
    data = [(torch.arange(12.0).view(3, 4) / (i + 5), torch.tensor([0, 1, 1])) for i in range(3)]
    print(train(args, model, optimizer, nn.CrossEntropyLoss(), data))
    saved = {"model": model.state_dict(), "amp": amp.state_dict() if args.fp16 else None}
    print(len(saved["model"]), saved["amp"])


def clipped_by_groups():
    model = nn.Linear(3, 1)
    for p in model.parameters():
        nn.init.constant_(p, 0.5)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for i in range(3):
        loss = model(torch.arange(6.0).view(2, 3) / (i + 1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_([p for group in optimizer.param_groups for p in group["params"]], 0.5)
        optimizer.step()
        print(loss.item(), norm.item())


main()
clipped_by_groups()
