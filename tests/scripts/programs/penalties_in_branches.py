import torch
from torch import nn
from torch.autograd import grad as torch_grad


def gradient_penalty(images, output, weight=10, center=0.0):
    batch_size = images.shape[0]
    gradients = torch_grad(
        outputs=output,
        inputs=images,
        grad_outputs=torch.ones(output.size(), device=images.device),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    gradients = gradients.reshape(batch_size, -1)
    return weight * ((gradients.norm(2, dim=1) - center) ** 2).mean()


net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)
opt = torch.optim.SGD(net.parameters(), lr=0.02)
data = torch.cos(torch.arange(96).float()).reshape(4, 6, 4)
fakes = torch.sin(torch.arange(96).float()).reshape(4, 6, 4)
for i in range(4):
    apply_penalty = i % 2 == 0
    image_batch = data[i].clone()
    generated_images = fakes[i].clone().requires_grad_()
    if apply_penalty:
        image_batch.requires_grad_()
    fake_output = net(generated_images)
    real_output = net(image_batch)
    loss = (torch.relu(1 - real_output) + torch.relu(1 + fake_output)).mean()
    if apply_penalty:
        gp = gradient_penalty(image_batch, real_output) + gradient_penalty(generated_images, fake_output, center=1.0)
        loss = loss + gp
        print("gp", gp.item())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
