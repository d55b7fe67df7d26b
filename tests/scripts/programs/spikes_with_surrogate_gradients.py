# also: nnx, linen
"""Spiking neurons with surrogate gradients, whose function holds a constant."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class SurrogateSpike(torch.autograd.Function):
    scale = 10.0

    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        out = torch.zeros_like(input)
        out[input > 0] = 1.0
        return out

    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad = grad_input / (SurrogateSpike.scale * torch.abs(input) + 1.0) ** 2
        return grad


spike_fn = SurrogateSpike.apply


class SNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Parameter(torch.sin(torch.arange(12.0)).view(3, 4))
        self.w2 = nn.Parameter(torch.cos(torch.arange(8.0)).view(4, 2))
        self.alpha, self.beta = 0.9, 0.8

    def forward(self, inputs):
        h1 = torch.einsum("abc,cd->abd", (inputs, self.w1))
        syn = torch.zeros((inputs.shape[0], 4))
        mem = torch.zeros((inputs.shape[0], 4))
        mem_rec, spk_rec = [], []
        for t in range(inputs.shape[1]):
            mthr = mem - 1.0
            out = spike_fn(mthr)
            rst = out.detach()
            new_syn = self.alpha * syn + h1[:, t]
            new_mem = (self.beta * mem + syn) * (1.0 - rst)
            mem_rec.append(mem)
            spk_rec.append(out)
            mem, syn = new_mem, new_syn
        spk = torch.stack(spk_rec, dim=1)
        h2 = torch.einsum("abc,cd->abd", (spk, self.w2))
        flt = torch.zeros((inputs.shape[0], 2))
        o = torch.zeros((inputs.shape[0], 2))
        out_rec = [o]
        for t in range(inputs.shape[1]):
            o = self.beta * o + flt
            flt = self.alpha * flt + h2[:, t]
            out_rec.append(o)
        return torch.stack(out_rec, dim=1), [torch.stack(mem_rec, 1), spk]


net = SNN()
x = (torch.sin(torch.arange(60.0)).view(2, 10, 3) > 0).float()
y = torch.tensor([0, 1])
opt = torch.optim.Adamax(net.parameters(), lr=2e-3, betas=(0.9, 0.999))
log_softmax_fn = nn.LogSoftmax(dim=1)
loss_fn = nn.NLLLoss()
for e in range(4):
    output, recs = net(x)
    _, spks = recs
    m, _ = torch.max(output, 1)
    log_p_y = log_softmax_fn(m)
    reg_loss = 2e-6 * torch.sum(spks) + 2e-6 * torch.mean(torch.sum(torch.sum(spks, dim=0), dim=0) ** 2)
    loss_val = loss_fn(log_p_y, y) + reg_loss
    opt.zero_grad()
    loss_val.backward()
    opt.step()
    print(loss_val.item(), spks.sum().item())
