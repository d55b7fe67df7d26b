# also: nnx
import torch
import torch.nn as nn


def print_flops(model, input):
    list_conv = []

    def conv_hook(self, input, output):
        batch_size, input_channels, input_height, input_width = input[0].size()
        output_channels, output_height, output_width = output[0].size()
        kernel_ops = self.kernel_size[0] * self.kernel_size[1] * (self.in_channels / self.groups)
        bias_ops = 1 if self.bias is not None else 0
        params = output_channels * (kernel_ops + bias_ops)
        list_conv.append(batch_size * params * output_height * output_width)

    list_linear = []

    def linear_hook(self, input, output):
        batch_size = input[0].size(0) if input[0].dim() == 2 else 1
        list_linear.append(batch_size * (self.weight.nelement() + self.bias.nelement()))

    list_relu = []

    def relu_hook(self, input, output):
        list_relu.append(input[0].nelement())

    list_pool = []

    def pooling_hook(self, input, output):
        batch_size, input_channels, input_height, input_width = input[0].size()
        output_channels, output_height, output_width = output[0].size()
        kernel_ops = self.kernel_size * self.kernel_size
        list_pool.append(batch_size * kernel_ops * output_channels * output_height * output_width)

    def foo(net):
        childrens = list(net.children())
        if not childrens:
            if isinstance(net, nn.Conv2d):
                net.register_forward_hook(conv_hook)
            if isinstance(net, nn.Linear):
                net.register_forward_hook(linear_hook)
            if isinstance(net, nn.ReLU):
                net.register_forward_hook(relu_hook)
            if isinstance(net, nn.MaxPool2d) or isinstance(net, nn.AvgPool2d):
                net.register_forward_hook(pooling_hook)
            return
        for c in childrens:
            foo(c)

    foo(model)
    model(input)
    print(sum(list_conv), sum(list_linear), sum(list_relu), sum(list_pool))


model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8, 3))
print_flops(model, torch.ones(1, 1, 6, 6))
