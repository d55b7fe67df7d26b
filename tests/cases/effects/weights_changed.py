"""Parameters that are given other values after a module is made."""

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.norm = nn.LayerNorm(4)
        self.out = nn.Linear(4, 2)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.constant_(self.fc.bias, 0.1)
        nn.init.constant_(self.out.weight, 2.0)
        nn.init.constant_(self.out.bias, -2.0)

    def forward(self, x):
        return self.out(self.norm(self.fc(x)))


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])
        self.reset_parameters()

    def reset_parameters(self):
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.eye_(p)
            else:
                nn.init.zeros_(p)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Drawn(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(30, 20)
        self.fc2 = nn.Linear(20, 10)
        self._reset_parameters()

    def _reset_parameters(self):
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def forward(self, x):
        return self.fc2(self.fc1(x))


class ByName(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        for name, param in self.named_parameters():
            if "bias" in name:
                nn.init.constant_(param, 0.5)
            elif "weight" in name:
                nn.init.constant_(param, 0.25)

    def forward(self, x):
        return self.fc(x)


class OwnWeights(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        with torch.no_grad():
            self.fc.weight.zero_()
            self.fc.weight[0, 0] = 1
            self.fc.weight[1].fill_(0.5)
            self.fc.bias.fill_(3.0)

    def forward(self, x):
        return self.fc(x)


def init_weights(module):
    if isinstance(module, nn.Linear):
        module.weight.data.fill_(0.25)
        if module.bias is not None:
            module.bias.data.zero_()


def case_zero():
    model = Net()
    with torch.no_grad():
        model.fc.weight.zero_()
        model.out.bias.fill_(1)
    return model.fc.weight, model.out.bias, model.out.weight


def case_data():
    model = Net()
    model.fc.weight.data.fill_(0.75)
    model.out.weight.data.mul_(0.5)
    model.out.bias.data = torch.tensor([1.0, 2.0])
    return model.fc.weight, model.out.weight, model.out.bias


def case_one_row():
    model = Net()
    with torch.no_grad():
        model.fc.weight[0] = 0
        model.fc.weight[1, 2] = 7
        model.fc.bias[1:] += 1
    return model.fc.weight, model.fc.bias


def case_copied():
    model = Net()
    with torch.no_grad():
        model.out.weight.copy_(torch.arange(8.0).view(2, 4))
        model.out.bias.copy_(model.fc.bias[:2])
    return model.out.weight, model.out.bias


def case_own_weights(x: Tensor):
    model = OwnWeights()
    return model(x), model.fc.weight


def case_clipped():
    model = Net()
    for p in model.parameters():
        p.data.clamp_(-0.3, 0.3)
    return model.fc.weight, model.out.weight, model.out.bias, model.fc.bias


def case_scaled_in_a_block():
    model = Net()
    with torch.no_grad():
        for param in model.parameters():
            param *= 0.5
    return model.fc.weight, model.out.bias


def case_manual_descent(x: Tensor):
    model = Net()
    for _ in range(3):
        loss = (model(x) ** 2).mean()
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= 0.1 * p.grad
    return model.fc.weight, model.out.bias


def case_manual_descent_of_data(x: Tensor):
    model = Net()
    for _ in range(2):
        loss = (model(x) ** 2).mean()
        model.zero_grad()
        loss.backward()
        for p in model.parameters():
            p.data.sub_(0.1 * p.grad.data)
    return model.fc.weight, model.out.bias


def case_manual_descent_cleared_behind(x: Tensor):
    model = Net()
    for _ in range(2):
        loss = (model(x) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= 0.1 * p.grad
                p.grad = None
    return model.fc.weight, model.out.bias


def case_by_dimension(x: Tensor):
    model = Deep()
    return model(x), model.layers[1].weight, model.layers[0].bias


# random
def case_drawn():
    model = Drawn()
    return model.fc1.weight, model.fc2.weight, model.fc1.bias


# random
def case_drawn_from_outside():
    model = Drawn()
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.normal_(p, 1.0, 0.1)
    return model.fc1.weight, model.fc2.weight


# random
def case_normal_of_data():
    model = Drawn()
    model.fc1.weight.data.normal_(0.0, 0.02)
    model.fc2.weight.data.uniform_(-1, 1)
    return model.fc1.weight, model.fc2.weight


def case_by_name(x: Tensor):
    model = ByName()
    return model(x), model.fc.weight, model.fc.bias


def case_by_name_from_outside():
    model = Net()
    for name, param in model.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(param)
    return model.fc.bias, model.out.bias, model.out.weight


def case_applied():
    model = Net()
    model.apply(init_weights)
    return model.fc.weight, model.out.weight, model.out.bias


def case_modules_of_model():
    model = Net()
    for m in model.modules():
        if isinstance(m, nn.Linear):
            m.weight.data.fill_(0.125)
            nn.init.zeros_(m.bias)
        elif isinstance(m, nn.LayerNorm):
            nn.init.constant_(m.weight, 2.0)
    return model.fc.weight, model.out.bias, model.norm.weight


def case_sequential():
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    for p in model.parameters():
        nn.init.constant_(p, 0.5)
    with torch.no_grad():
        model[0].weight[0] = 1.0
    nn.init.zeros_(model[2].bias)
    return model[0].weight, model[0].bias, model[2].bias


def case_norm_of_parameters():
    model = Net()
    return sum((p**2).sum() for p in model.parameters()), [p.shape[0] for p in model.parameters()]


def case_norms_by_name():
    model = Net()
    return {name: p.norm() for name, p in model.named_parameters()}


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3)
        self.fc = nn.Linear(3, 2)
        self._initialize_weights()

    def _initialize_weights(self):
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.constant_(m.weight, 0.25)
                if m.bias is not None:
                    nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.Linear):
                m.weight.data.fill_(0.5)
                m.bias.data.zero_()

    def forward(self, x):
        return self.fc(self.conv(x).mean((2, 3)))


class ConvNetInside(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(20, 30, 3)
        self.fc = nn.Linear(30, 20)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, 0, 0.01)
                nn.init.constant_(m.bias, 0)

    def forward(self, x):
        return self.fc(self.conv(x).mean((2, 3)))


def case_conv_net(image: Tensor):
    model = ConvNet()
    return model(image), model.conv.bias.reshape(-1)


def case_dimensions_of_conv():
    model = ConvNet()
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.constant_(p, 2.0)
        else:
            p.data.fill_(float(p.dim()))
    return model.conv.weight, model.conv.bias.reshape(-1), model.fc.bias


# random
def case_conv_net_inside():
    model = ConvNetInside()
    return model.conv.weight, model.fc.weight, model.fc.bias


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.cell = nn.GRUCell(3, 2)

    def forward(self, x):
        return self.fc(x) + self.cell(x)


def case_parameters_of_a_part(x: Tensor):
    model = Gated()
    for p in model.cell.parameters():
        nn.init.constant_(p, 0.1)
    for p in model.fc.parameters():
        nn.init.constant_(p, 0.2)
    return model(x)


def case_augmented_weights(x: Tensor):
    model = Gated()
    for p in model.parameters():
        nn.init.constant_(p, 0.1)
    model.fc.weight.data -= 0.25
    with torch.no_grad():
        model.fc.bias += 1
    return model(x), model.fc.weight


def case_augmented_weight_of_unknown_shape(x: Tensor):
    model = Gated()
    with torch.no_grad():
        model.cell.weight_ih *= 2  # T2J601
    return model(x)


def case_augmented_data():
    w = torch.ones(3)
    w.data -= 0.5
    w.data[0] += 1
    return w


def ones_(layer: nn.Linear):
    nn.init.ones_(layer.weight)


def doubled_(layer: nn.Linear) -> int:
    with torch.no_grad():
        layer.weight *= 2
    return 2


def first_row_(model: Net):
    model.fc.weight.data[0] = 3.0
    model.fc.bias.data.mul_(2).add_(1)


def case_function_for_a_part(x):
    model = Net()
    ones_(model.fc)
    return model(x)


def case_function_for_a_member(x):
    model = nn.Sequential(Net(), nn.Linear(2, 3))
    ones_(model[1])
    ones_(model[0].fc)
    doubled_(model[0].out)
    return model[0](x), model[1].weight


def case_function_for_a_part_with_a_result(x):
    model = Net()
    ones_(model.fc)
    n = doubled_(model.fc)
    return n * model.fc.weight, model(x)


def case_function_of_a_function(x):
    model = Net()

    def both(net: Net):
        ones_(net.fc)
        first_row_(net)
        return doubled_(net.out)

    n = both(model)
    return n, model.out.weight, model(x)


def case_function_for_a_part_in_an_expression(x):
    model = Net()
    return doubled_(model.fc) * model(x)


def case_expression_that_reads_a_model_before_it_changes(x):
    model = Net()
    return model(x) * doubled_(model.fc)  # T2J302


class PartsInit(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.rest = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
        ones_(self.net.fc)
        ones_(self.rest[0])
        nn.init.zeros_(self.rest[0].bias)

    def forward(self, x):
        return self.rest(self.net(x))

    def again(self):
        ones_(self.net.fc)  # T2J601


class PartsOnly(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.rest = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
        ones_(self.net.fc)
        ones_(self.rest[0])
        nn.init.zeros_(self.rest[0].bias)

    def forward(self, x):
        return self.rest(self.net(x))


def case_parts_in_init(x):
    return PartsOnly()(x)


class Shifted(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("shift", torch.zeros(3))
        self.register_buffer("scale", None)

    def forward(self, x):
        return x + self.shift


def case_another_buffer(x: Tensor):
    model = Shifted()
    before = model.shift
    model.shift = x[0] * 2
    return before, model(x)


def case_another_buffer_of_a_part(x):
    model = nn.Sequential(Shifted(), Shifted())
    model[0].shift = torch.ones(3)
    model[1].shift = torch.ones(3) * 2
    return model(x)


def case_buffer_that_was_none(x):
    model = Shifted()
    model.scale = torch.ones(3)
    return model.scale


def shifted_(model: Shifted):
    model.shift += 1
    model.shift[0] = 5
    torch.add(model.shift, 1, out=model.shift)
    model.shift.mul_(2).add_(1)


def case_function_that_changes_a_buffer(x):
    model = Shifted()
    shifted_(model)
    return model(x)
