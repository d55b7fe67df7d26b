import torch.nn as nn
def backprop(loss, optimizer, model, step, accum=1, clip=None):
    loss = loss / accum
    loss.backward()
    if clip is not None:
        nn.utils.clip_grad_value_(model.parameters(), clip)
    if (step + 1) % accum == 0:
        optimizer.step()
        optimizer.zero_grad()
