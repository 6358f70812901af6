"""A network whose first layer is trained by gradient descent, in the span of its samples."""

from implicit_bias.activations import LeakyReLU
from implicit_bias.flows import GradientDescent, drive
from implicit_bias.losses import Logistic
from implicit_bias.models.two_layer import Risk, TwoLayer

N, D, M, RATE = 6, 40, 12, 0.05


def reduced(first_layer, data, slope=0.3, width=1.0):
    net = TwoLayer(LeakyReLU(slope, width, centred=True), trained="first")
    return Risk(net, data, Logistic()).in_span(*first_layer, gather=True)


def descend(net, steps, rate=RATE):
    return drive(GradientDescent(net.gradient, rate), net.start, t_end=steps * rate).final
