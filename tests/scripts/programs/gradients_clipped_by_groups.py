# also: nnx, linen
"""Gradients that are clipped where an optimizer, or a function that is given it or the model, goes through what it updates."""
import torch
import torch.nn as nn


def make(inputs, outputs):
    model = nn.Linear(inputs, outputs)
    nn.init.constant_(model.weight, 0.3)
    nn.init.zeros_(model.bias)
    return model


def clip_gradient(optimizer, grad_clip):
    """Clip all that an optimizer updates."""
    for group in optimizer.param_groups:
        for param in group["params"]:
            if param.grad is not None:
                param.grad.data.clamp_(-grad_clip, grad_clip)


def clip_norm(model, limit):
    torch.nn.utils.clip_grad_norm_(model.parameters(), limit)


def clip_values(model, limit):
    for p in model.parameters():
        if p.grad is not None:
            p.grad.data.clamp_(-limit, limit)


def adjust_learning_rate(optimizer, factor):
    for group in optimizer.param_groups:
        group["lr"] = group["lr"] * factor
    print("The new learning rate is %f" % (optimizer.param_groups[0]["lr"],))


def train(encoder, decoder, encoder_optimizer, decoder_optimizer):
    for _ in range(3):
        loss = decoder(encoder(torch.ones(2, 4))).pow(2).mean()
        decoder_optimizer.zero_grad()
        encoder_optimizer.zero_grad()
        loss.backward()
        clip_gradient(decoder_optimizer, 0.1)
        clip_gradient(encoder_optimizer, 0.2)
        decoder_optimizer.step()
        encoder_optimizer.step()
        print("%.5f" % loss.item())


def main():
    encoder, decoder = make(4, 3), make(3, 2)
    encoder_optimizer = torch.optim.SGD(encoder.parameters(), lr=1e-1)
    decoder_optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, decoder.parameters()), lr=1e-2)
    for _ in range(2):
        train(encoder, decoder, encoder_optimizer, decoder_optimizer)
        adjust_learning_rate(encoder_optimizer, 0.8)
        adjust_learning_rate(decoder_optimizer, 0.5)


main()

net = make(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(6):
    loss = net(torch.ones(2, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    if step < 2:
        for group in opt.param_groups:
            for p in group["params"]:
                p.grad.data.clamp_(-0.1, 0.1)
    opt.step()
    print("%.5f" % loss.item())
for step in range(2):
    opt.zero_grad()
    loss = net(torch.ones(2, 4)).pow(2).mean()
    loss.backward()
    torch.nn.utils.clip_grad_value_(opt.param_groups[0]["params"], 0.2)
    for group in opt.param_groups:
        torch.nn.utils.clip_grad_norm_(group["params"], 0.1)
    opt.step()
    print("%.5f" % loss.item())
for step in range(2):
    opt.zero_grad()
    loss = net(torch.ones(2, 4)).pow(2).mean()
    loss.backward()
    clip_values(net, 0.15)
    clip_norm(net, limit=0.1)
    opt.step()
    print("%.5f" % loss.item())
print(sum(p.numel() for g in opt.param_groups for p in g["params"]), len(opt.param_groups[0]["params"]))
print(["%.4f" % p.sum().item() for group in opt.param_groups for p in group["params"]])
