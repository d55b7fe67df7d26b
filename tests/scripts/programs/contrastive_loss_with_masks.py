import torch
import torch.nn as nn
import torch.nn.functional as F


class NTXent(nn.Module):
    def __init__(self, temperature):
        super().__init__()
        self.temperature = temperature
        self.criterion = nn.CrossEntropyLoss(reduction="sum")

    def mask(self, n):
        N = 2 * n
        mask = torch.ones((N, N), dtype=bool)
        mask = mask.fill_diagonal_(0)
        for i in range(n):
            mask[i, n + i] = 0
            mask[n + i, i] = 0
        return mask

    def forward(self, z_i, z_j):
        n = z_i.shape[0]
        N = 2 * n
        z = torch.cat((z_i, z_j), dim=0)
        sim = F.cosine_similarity(z.unsqueeze(1), z.unsqueeze(0), dim=2) / self.temperature
        sim_i_j = torch.diag(sim, n)
        sim_j_i = torch.diag(sim, -n)
        positive = torch.cat((sim_i_j, sim_j_i), dim=0).reshape(N, 1)
        negative = sim[self.mask(n)].reshape(N, -1)
        labels = torch.zeros(N).long()
        logits = torch.cat((positive, negative), dim=1)
        return self.criterion(logits, labels) / N


class Encoder(nn.Module):
    def __init__(self, projection_dim=4):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 8), nn.ReLU())
        self.n_features = self.encoder[0].out_features
        self.projector = nn.Sequential(
            nn.Linear(self.n_features, self.n_features, bias=False),
            nn.ReLU(),
            nn.Linear(self.n_features, projection_dim, bias=False),
        )

    def forward(self, a, b):
        h_i, h_j = self.encoder(a), self.encoder(b)
        return h_i, h_j, self.projector(h_i), self.projector(h_j)


model = Encoder()
sd = model.state_dict()
for i, k in enumerate(sd):
    sd[k] = torch.sin(torch.arange(sd[k].numel()).float() + i).view(sd[k].shape)
model.load_state_dict(sd)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 4, eta_min=0, last_epoch=-1)
crit = NTXent(0.5)
for epoch in range(4):
    tot = 0
    for step in range(2):
        a = torch.sin(torch.arange(24.0) + step).view(4, 6)
        b = a + 0.1 * torch.cos(torch.arange(24.0)).view(4, 6)
        opt.zero_grad()
        h_i, h_j, z_i, z_j = model(a, b)
        loss = crit(z_i, z_j)
        loss.backward()
        opt.step()
        if step % 1 == 0:
            print(f"Step [{step}] loss {loss.item():.5f}")
        tot += loss.item()
    lr = opt.param_groups[0]["lr"]
    scheduler.step()
    print(f"Epoch [{epoch}] {tot / 2:.5f} lr {round(lr, 5)}")
