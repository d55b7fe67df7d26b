# also: nnx
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m, k=0.0):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i + k).reshape(p.shape) * 0.3)


class MLPHead(nn.Module):
    def __init__(self, in_channels, mlp_hidden_size, projection_size):
        super(MLPHead, self).__init__()
        self.net = nn.Sequential(
            nn.Linear(in_channels, mlp_hidden_size),
            nn.BatchNorm1d(mlp_hidden_size),
            nn.ReLU(inplace=True),
            nn.Linear(mlp_hidden_size, projection_size),
        )

    def forward(self, x):
        return self.net(x)


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.projetion = MLPHead(8, 8, 4)

    def forward(self, x):
        return self.projetion(self.encoder(x))


class BYOLTrainer:
    def __init__(self, online_network, target_network, predictor, optimizer, device, **params):
        self.online_network = online_network
        self.target_network = target_network
        self.optimizer = optimizer
        self.device = device
        self.predictor = predictor
        self.max_epochs = params["max_epochs"]
        self.m = params["m"]
        self.batch_size = params["batch_size"]

    @torch.no_grad()
    def _update_target_network_parameters(self):
        for param_q, param_k in zip(self.online_network.parameters(), self.target_network.parameters()):
            param_k.data = param_k.data * self.m + param_q.data * (1.0 - self.m)

    @staticmethod
    def regression_loss(x, y):
        x = F.normalize(x, dim=1)
        y = F.normalize(y, dim=1)
        return 2 - 2 * (x * y).sum(dim=-1)

    def initializes_target_network(self):
        for param_q, param_k in zip(self.online_network.parameters(), self.target_network.parameters()):
            param_k.data.copy_(param_q.data)
            param_k.requires_grad = False

    def train(self, batches):
        niter = 0
        self.initializes_target_network()
        for epoch_counter in range(self.max_epochs):
            for (batch_view_1, batch_view_2), _ in batches:
                batch_view_1 = batch_view_1.to(self.device)
                batch_view_2 = batch_view_2.to(self.device)
                loss = self.update(batch_view_1, batch_view_2)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self._update_target_network_parameters()
                print(loss.item())
                niter += 1
            print("End of epoch {}".format(epoch_counter))
        self.save_model("model.pth")

    def update(self, batch_view_1, batch_view_2):
        predictions_from_view_1 = self.predictor(self.online_network(batch_view_1))
        predictions_from_view_2 = self.predictor(self.online_network(batch_view_2))
        with torch.no_grad():
            targets_to_view_2 = self.target_network(batch_view_1)
            targets_to_view_1 = self.target_network(batch_view_2)
        loss = self.regression_loss(predictions_from_view_1, targets_to_view_1)
        loss += self.regression_loss(predictions_from_view_2, targets_to_view_2)
        return loss.mean()

    def save_model(self, PATH):
        torch.save(
            {
                "online_network_state_dict": self.online_network.state_dict(),
                "target_network_state_dict": self.target_network.state_dict(),
                "optimizer_state_dict": self.optimizer.state_dict(),
            },
            PATH,
        )


device = "cpu"
online_network = ResNet().to(device)
fill(online_network)
predictor = MLPHead(in_channels=online_network.projetion.net[-1].out_features, mlp_hidden_size=8, projection_size=4).to(
    device
)
fill(predictor, 0.5)
target_network = ResNet().to(device)
optimizer = torch.optim.SGD(list(online_network.parameters()) + list(predictor.parameters()), lr=0.05)
trainer = BYOLTrainer(
    online_network=online_network,
    target_network=target_network,
    optimizer=optimizer,
    predictor=predictor,
    device=device,
    max_epochs=2,
    m=0.9,
    batch_size=4,
)
batches = [
    ((torch.sin(torch.arange(24.0) + k).reshape(4, 6), torch.cos(torch.arange(24.0) + k).reshape(4, 6)), None)
    for k in range(2)
]
trainer.train(batches)
print(sum(p.sum().item() for p in target_network.parameters()))
