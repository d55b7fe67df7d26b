# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


class Generator(nn.Module):
    def __init__(self, d, c):
        super().__init__()
        self.fc = nn.Linear(d + c, d)

    def forward(self, x, c):
        return torch.tanh(self.fc(torch.cat([x, c], dim=1)))


class Discriminator(nn.Module):
    def __init__(self, d, c):
        super().__init__()
        self.src = nn.Linear(d, 1)
        self.cls = nn.Linear(d, c)

    def forward(self, x):
        return self.src(torch.sin(x)), self.cls(x)


class Solver(object):
    def __init__(self, loader, config):
        self.loader = loader
        self.c_dim = config.c_dim
        self.lambda_gp = config.lambda_gp
        self.g_lr = config.g_lr
        self.d_lr = config.d_lr
        self.n_critic = config.n_critic
        self.num_iters = config.num_iters
        self.num_iters_decay = config.num_iters_decay
        self.lr_update_step = config.lr_update_step
        self.dataset = config.dataset
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.build_model()

    def build_model(self):
        if self.dataset in ["Two", "One"]:
            self.G = Generator(4, self.c_dim)
            self.D = Discriminator(4, self.c_dim)
        elif self.dataset in ["Both"]:
            self.G = Generator(4, self.c_dim + 2)
            self.D = Discriminator(4, self.c_dim + 1)
        self.g_optimizer = torch.optim.Adam(self.G.parameters(), self.g_lr, [0.5, 0.999])
        self.d_optimizer = torch.optim.Adam(self.D.parameters(), self.d_lr, [0.5, 0.999])
        for net in (self.G, self.D):
            for i, p in enumerate(net.parameters()):
                nn.init.constant_(p, 0.1 * (i + 1))
        self.G.to(self.device)
        self.D.to(self.device)

    def update_lr(self, g_lr, d_lr):
        for param_group in self.g_optimizer.param_groups:
            param_group["lr"] = g_lr
        for param_group in self.d_optimizer.param_groups:
            param_group["lr"] = d_lr

    def reset_grad(self):
        self.g_optimizer.zero_grad()
        self.d_optimizer.zero_grad()

    def gradient_penalty(self, y, x):
        weight = torch.ones(y.size()).to(self.device)
        dydx = torch.autograd.grad(
            outputs=y, inputs=x, grad_outputs=weight, retain_graph=True, create_graph=True, only_inputs=True
        )[0]
        dydx = dydx.view(dydx.size(0), -1)
        dydx_l2norm = torch.sqrt(torch.sum(dydx**2, dim=1))
        return torch.mean((dydx_l2norm - 1) ** 2)

    def label2onehot(self, labels, dim):
        batch_size = labels.size(0)
        out = torch.zeros(batch_size, dim)
        out[torch.arange(batch_size), labels.long()] = 1
        return out

    def classification_loss(self, logit, target, dataset="Two"):
        if dataset == "Two":
            return F.binary_cross_entropy_with_logits(logit, target, reduction="sum") / logit.size(0)
        elif dataset == "One":
            return F.cross_entropy(logit, target)

    def train(self):
        data_iter = iter(self.loader)
        g_lr = self.g_lr
        d_lr = self.d_lr
        for i in range(self.num_iters):
            try:
                x_real, label_org = next(data_iter)
            except StopIteration:
                data_iter = iter(self.loader)
                x_real, label_org = next(data_iter)
            label_trg = label_org.flip(0)
            if self.dataset == "Two":
                c_org = label_org.clone()
                c_trg = label_trg.clone()
            elif self.dataset == "One":
                c_org = self.label2onehot(label_org, self.c_dim)
                c_trg = self.label2onehot(label_trg, self.c_dim)
            x_real = x_real.to(self.device)
            c_org = c_org.to(self.device)
            c_trg = c_trg.to(self.device)
            label_org = label_org.to(self.device)
            label_trg = label_trg.to(self.device)

            out_src, out_cls = self.D(x_real)
            d_loss_real = -torch.mean(out_src)
            d_loss_cls = self.classification_loss(out_cls, label_org, self.dataset)

            x_fake = self.G(x_real, c_trg)
            out_src, out_cls = self.D(x_fake.detach())
            d_loss_fake = torch.mean(out_src)

            alpha = torch.full((x_real.size(0), 1), 0.3).to(self.device)
            x_hat = (alpha * x_real.data + (1 - alpha) * x_fake.data).requires_grad_(True)
            out_src, _ = self.D(x_hat)
            d_loss_gp = self.gradient_penalty(out_src, x_hat)

            d_loss = d_loss_real + d_loss_fake + d_loss_cls + self.lambda_gp * d_loss_gp
            self.reset_grad()
            d_loss.backward()
            self.d_optimizer.step()

            loss = {}
            loss["D/loss_real"] = d_loss_real.item()
            loss["D/loss_fake"] = d_loss_fake.item()
            loss["D/loss_gp"] = d_loss_gp.item()

            if (i + 1) % self.n_critic == 0:
                x_fake = self.G(x_real, c_trg)
                out_src, out_cls = self.D(x_fake)
                g_loss_fake = -torch.mean(out_src)
                g_loss_cls = self.classification_loss(out_cls, label_trg, self.dataset)
                x_reconst = self.G(x_fake, c_org)
                g_loss_rec = torch.mean(torch.abs(x_real - x_reconst))
                g_loss = g_loss_fake + 10.0 * g_loss_rec + g_loss_cls
                self.reset_grad()
                g_loss.backward()
                self.g_optimizer.step()
                loss["G/loss_fake"] = g_loss_fake.item()
                loss["G/loss_rec"] = g_loss_rec.item()

            for tag, value in loss.items():
                print(i, tag, round(value, 3))

            if (i + 1) % self.lr_update_step == 0 and (i + 1) > (self.num_iters - self.num_iters_decay):
                g_lr -= self.g_lr / float(self.num_iters_decay)
                d_lr -= self.d_lr / float(self.num_iters_decay)
                self.update_lr(g_lr, d_lr)
                print("Decayed learning rates, g_lr: {}, d_lr: {}.".format(g_lr, d_lr))


class Config:
    c_dim = 2
    lambda_gp = 10.0
    g_lr = 0.01
    d_lr = 0.02
    n_critic = 2
    num_iters = 6
    num_iters_decay = 4
    lr_update_step = 2
    dataset = "Two"


loader = [
    (torch.arange(8.0).view(2, 4) / 8, torch.tensor([[1.0, 0.0], [0.0, 1.0]])),
    (torch.ones(2, 4) / 2, torch.tensor([[1.0, 1.0], [0.0, 1.0]])),
]
Solver(loader, Config()).train()
