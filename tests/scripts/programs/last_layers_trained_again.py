# also: nnx
"""A model is frozen, is given another head, and its last block is trained again, by functions of a file."""

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(d, d)
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        return x + torch.tanh(self.lin(self.norm(x)))


class GPTModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok_emb = nn.Embedding(cfg["vocab"], cfg["d"])
        self.trf_blocks = nn.Sequential(*[Block(cfg["d"]) for _ in range(cfg["n"])])
        self.final_norm = nn.LayerNorm(cfg["d"])
        self.out_head = nn.Linear(cfg["d"], cfg["vocab"], bias=False)

    def forward(self, idx):
        x = self.tok_emb(idx)
        x = self.trf_blocks(x)
        return self.out_head(self.final_norm(x))


def calc_loss_batch(x, y, model, device):
    x, y = x.to(device), y.to(device)
    logits = model(x)[:, -1, :]
    return torch.nn.functional.cross_entropy(logits, y)


def train(model, batches, optimizer, device, num_epochs):
    losses = []
    for epoch in range(num_epochs):
        model.train()
        for x, y in batches:
            optimizer.zero_grad()
            loss = calc_loss_batch(x, y, model, device)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


if __name__ == "__main__":
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    cfg = {"vocab": 9, "d": 4, "n": 2}
    model = GPTModel(cfg)
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).view_as(p) * 0.3)
    model.eval()
    for param in model.parameters():
        param.requires_grad = False
    num_classes = 2
    model.out_head = torch.nn.Linear(in_features=cfg["d"], out_features=num_classes)
    nn.init.constant_(model.out_head.weight, 0.1)
    nn.init.zeros_(model.out_head.bias)
    model.to(device)
    for param in model.trf_blocks[-1].parameters():
        param.requires_grad = True
    for param in model.final_norm.parameters():
        param.requires_grad = True
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-2, weight_decay=0.1)
    batches = [
        (torch.tensor([[1, 2, 3], [4, 5, 6]]), torch.tensor([0, 1])),
        (torch.tensor([[1, 8, 3], [7, 5, 0]]), torch.tensor([1, 1])),
    ]
    losses = train(model, batches, optimizer, device, num_epochs=3)
    print(losses)
    print(
        model.tok_emb.weight.sum().item(),
        model.trf_blocks[0].lin.weight.sum().item(),
        model.trf_blocks[1].lin.weight.sum().item(),
    )
    print(sum(p.numel() for p in model.parameters() if p.requires_grad))
