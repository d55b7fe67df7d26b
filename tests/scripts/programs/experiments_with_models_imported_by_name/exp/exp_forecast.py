import torch
from torch import nn, optim
from exp.exp_basic import Exp_Basic


class Exp_Forecast(Exp_Basic):
    def __init__(self, args):
        super().__init__(args)

    def _build_model(self):
        model = self.model_dict[self.args.model](self.args).float()
        return model

    def _select_optimizer(self):
        return optim.Adam(self.model.parameters(), lr=self.args.learning_rate)

    def _select_criterion(self):
        return nn.MSELoss()

    def data(self):
        x = torch.sin(torch.arange(4 * self.args.seq_len * 2.0)).view(4, self.args.seq_len, 2)
        return x, x[:, : self.args.pred_len] * 0.5

    def train(self):
        with torch.no_grad():
            for i, p in enumerate(self.model.parameters()):
                p.copy_(torch.linspace(-0.5, 0.5, p.numel()).reshape(p.shape) + 0.1 * i)
        model_optim = self._select_optimizer()
        criterion = self._select_criterion()
        for epoch in range(self.args.train_epochs):
            self.model.train()
            model_optim.zero_grad()
            x, y = self.data()
            outputs = self.model(x)
            loss = criterion(outputs, y)
            loss.backward()
            model_optim.step()
            print(f"{loss.item():.5f}")
        return self.model

    def test(self):
        self.model.eval()
        with torch.no_grad():
            x, y = self.data()
            print(f"{self.model(x).mean().item():.5f}")
