# also: nnx, linen
"""A network with its optimizer and its data, whose `__init__` asks its own layers how wide they are, and which keeps histories."""

import numpy as np
import torch as T
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class CNN(nn.Module):
    def __init__(self, lr, epochs, batch_size, num_classes=3):
        super(CNN, self).__init__()
        self.epochs = epochs
        self.lr = lr
        self.batch_size = batch_size
        self.num_classes = num_classes
        self.loss_history = []
        self.acc_history = []
        self.device = T.device('cuda:0' if T.cuda.is_available() else 'cpu')
        self.conv1 = nn.Conv2d(1, 4, 3)
        self.bn1 = nn.BatchNorm2d(4)
        self.maxpool1 = nn.MaxPool2d(2)
        input_dims = self.calc_input_dims()
        self.fc1 = nn.Linear(input_dims, self.num_classes)
        self.optimizer = optim.Adam(self.parameters(), lr=self.lr)
        self.loss = nn.CrossEntropyLoss()
        self.to(self.device)
        self.get_data()

    def calc_input_dims(self):
        batch_data = T.zeros((1, 1, 8, 8))
        batch_data = self.conv1(batch_data)
        batch_data = self.maxpool1(batch_data)
        return int(np.prod(batch_data.size()))

    def forward(self, batch_data):
        batch_data = T.tensor(batch_data).to(self.device)
        batch_data = self.conv1(batch_data)
        batch_data = self.bn1(batch_data)
        batch_data = F.relu(batch_data)
        batch_data = self.maxpool1(batch_data)
        batch_data = batch_data.view(batch_data.size()[0], -1)
        classes = self.fc1(batch_data)
        return classes

    def get_data(self):
        g = np.random.RandomState(0)
        x = T.from_numpy(g.randn(12, 1, 8, 8).astype(np.float32))
        y = T.from_numpy(g.randint(0, 3, size=12))
        data = T.utils.data.TensorDataset(x, y)
        self.train_data_loader = T.utils.data.DataLoader(data, batch_size=self.batch_size)
        self.test_data_loader = T.utils.data.DataLoader(data, batch_size=self.batch_size)

    def _train(self):
        self.train()
        for i in range(self.epochs):
            ep_loss = 0
            ep_acc = []
            for j, (input, label) in enumerate(self.train_data_loader):
                self.optimizer.zero_grad()
                label = label.to(self.device)
                prediction = self.forward(input)
                loss = self.loss(prediction, label)
                prediction = F.softmax(prediction, dim=1)
                classes = T.argmax(prediction, dim=1)
                wrong = T.where(classes != label,
                                T.tensor([1.]).to(self.device),
                                T.tensor([0.]).to(self.device))
                acc = 1 - T.sum(wrong) / self.batch_size
                ep_acc.append(acc.item())
                self.acc_history.append(acc.item())
                ep_loss += loss.item()
                loss.backward()
                self.optimizer.step()
            print('Finish epoch ', i, 'total loss %.3f' % ep_loss, 'accuracy %.3f' % np.mean(ep_acc))
            self.loss_history.append(ep_loss)

    def _test(self):
        self.eval()
        ep_loss = 0
        ep_acc = []
        for j, (input, label) in enumerate(self.test_data_loader):
            label = label.to(self.device)
            prediction = self.forward(input)
            loss = self.loss(prediction, label)
            prediction = F.softmax(prediction, dim=1)
            classes = T.argmax(prediction, dim=1)
            wrong = T.where(classes != label, T.tensor([1.]).to(self.device), T.tensor([0.]).to(self.device))
            acc = 1 - T.sum(wrong) / self.batch_size
            ep_acc.append(acc.item())
            ep_loss += loss.item()
        print('total loss %.3f' % ep_loss, 'accuracy %.3f' % np.mean(ep_acc))


if __name__ == '__main__':
    network = CNN(lr=0.01, batch_size=4, epochs=3)
    with T.no_grad():
        for p in network.parameters():
            p.copy_(T.linspace(-0.5, 0.7, p.numel()).view_as(p))
    network._train()
    print(network.loss_history, network.acc_history)
    network._test()
