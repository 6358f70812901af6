"""Small networks, data and training loops for the tests of what is measured of a network that somebody brings."""

import torch
from torch import nn

torch.set_num_threads(1)


def data(n=40, d=6, classes=3, seed=0, dtype=torch.float64):
    """Points and labels that a linear teacher gives them."""
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, d, generator=g, dtype=dtype)
    y = (x @ torch.randn(d, classes, generator=g, dtype=dtype)).argmax(1)
    return x, y


def mlp(sigma=nn.ReLU, width=16, d=6, classes=3, seed=0, dtype=torch.float64, between=nn.Identity):
    torch.manual_seed(seed)
    net = nn.Sequential(
        nn.Linear(d, width), sigma(), between(), nn.Linear(width, width), sigma(), nn.Linear(width, classes)
    )
    return net.to(dtype)


def cnn(pool=nn.AvgPool2d, seed=0, dtype=torch.float64):
    torch.manual_seed(seed)
    net = nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), pool(2), nn.Conv2d(4, 5, 3), nn.ReLU(), nn.Flatten(),
        nn.Linear(5 * 4, 8), nn.ReLU(), nn.Linear(8, 3),
    )  # fmt: skip
    return net.to(dtype)


def images(n=30, seed=0, dtype=torch.float64):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 1, 8, 8, generator=g, dtype=dtype)
    return x, torch.randint(0, 3, (n,), generator=g)


class Linear(nn.Module):
    """Linear in its parameters, over fixed nonlinear features."""

    def __init__(self, d=6, classes=3):
        super().__init__()
        self.a, self.b = nn.Linear(d, classes).double(), nn.Linear(d, classes).double()

    def forward(self, x):
        return self.a(torch.tanh(x)) + self.b(x**2)


def train(model, optimizer, x, y, *, steps=60, batch=10, seed=1, loss=nn.functional.cross_entropy, schedule=None,
          clip=None, sign=1.0):  # fmt: skip
    """A plain loop over minibatches."""
    torch.manual_seed(seed)
    done = 0
    while done < steps:
        for rows in torch.randperm(len(x)).split(batch):
            optimizer.zero_grad()
            (sign * loss(model(x[rows]), y[rows])).backward()
            if clip:
                clip(model.parameters())
            optimizer.step()
            if schedule:
                schedule.step()
            done += 1
            if done == steps:
                return
