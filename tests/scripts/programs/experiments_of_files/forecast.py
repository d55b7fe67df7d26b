import numpy as np
import torch
import torch.nn as nn
from experiment import Experiment
from forecasters import linear, normed
from tools import EarlyStopping, adjust_learning_rate
from torch import optim
from torch.utils.data import DataLoader, TensorDataset


class Forecast(Experiment):
    def __init__(self, args):
        super(Forecast, self).__init__(args)

    def _build_model(self):
        model_dict = {
            "linear": linear,
            "normed": normed,
        }
        model = model_dict[self.args.model].Model(self.args).float()
        if self.args.use_multi_gpu and self.args.use_gpu:
            model = nn.DataParallel(model, device_ids=self.args.device_ids)
        return model

    def _get_data(self, shift):
        t = torch.arange(120.0).view(12, 10) / 9 + shift
        data = TensorDataset(t[:, : self.args.seq_len].sin(), t[:, self.args.seq_len :].sin())
        return data, DataLoader(data, batch_size=4, shuffle=False)

    def _select_optimizer(self):
        model_optim = optim.Adam(self.model.parameters(), lr=self.args.learning_rate)
        return model_optim

    def validate(self, loader, criterion):
        total_loss = []
        self.model.eval()
        with torch.no_grad():
            for i, (batch_x, batch_y) in enumerate(loader):
                outputs = self.model(batch_x.float().to(self.device))
                loss = criterion(outputs.detach().cpu(), batch_y.detach().cpu())
                total_loss.append(loss)
        self.model.train()
        return np.average(total_loss)

    def train(self, path):
        _, train_loader = self._get_data(0.0)
        _, vali_loader = self._get_data(0.5)
        early_stopping = EarlyStopping(self.args.patience)
        model_optim = self._select_optimizer()
        criterion = nn.MSELoss()
        if self.args.use_amp:
            scaler = torch.cuda.amp.GradScaler()

        for epoch in range(self.args.train_epochs):
            train_loss = []
            self.model.train()
            for i, (batch_x, batch_y) in enumerate(train_loader):
                model_optim.zero_grad()
                batch_x = batch_x.float().to(self.device)
                batch_y = batch_y.float().to(self.device)
                outputs = self.model(batch_x)
                loss = criterion(outputs, batch_y)
                train_loss.append(loss.item())
                if self.args.use_amp:
                    scaler.scale(loss).backward()
                    scaler.step(model_optim)
                    scaler.update()
                else:
                    loss.backward()
                    model_optim.step()
            vali_loss = self.validate(vali_loader, criterion)
            print("epoch", epoch, "%.4f %.4f" % (np.average(train_loss), vali_loss))
            early_stopping(vali_loss, self.model, path)
            if early_stopping.early_stop:
                print("early stopping")
                break
            adjust_learning_rate(model_optim, epoch + 1, self.args)

        self.model.load_state_dict(torch.load(path))
        return self.model

    def test(self):
        _, loader = self._get_data(0.25)
        preds = []
        self.model.eval()
        with torch.no_grad():
            for batch_x, batch_y in loader:
                outputs = self.model(batch_x.float().to(self.device))
                preds.append(outputs.detach().cpu().numpy())
        preds = np.concatenate(preds, axis=0)
        print(preds.shape, preds.mean().round(4))
