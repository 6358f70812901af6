"""A convolutional network in the style of VGG, as a function of its weights."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from implicit_bias.checks import Array, instance, memory, whole
from implicit_bias.late import extra

Weights = tuple[Any, ...]
NUMBER = 8  # bytes of a float64


@dataclass(frozen=True)
class ConvNet:
    """Blocks of 3 × 3 convolutions with ReLU, each block ended by 2 × 2 max pooling; a linear layer at the end.

    Its weights θ are passed, one tensor for the kernel and one for the biases of each layer. At a scale α the outputs
    are known to α times the rounding of these tensors. R networks are passed at once where each tensor has one axis
    more, of length R, before its others, and so have the images.

    side: pixels along each side of an image, divisible by 2 as often as there are blocks.
    colours: numbers of a pixel.
    blocks: for each block the channels of its convolutions.
    classes: number C of outputs.

    Raises ValueError for sizes that do not fit.

    >>> net = ConvNet(side=4, colours=1, blocks=((2,), (3,)), classes=2)
    >>> net.layers, net.size
    (3, 85)
    """

    side: int
    colours: int
    blocks: tuple[tuple[int, ...], ...]
    classes: int

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit together."""
        whole("side", self.side, least=1)
        whole("colours", self.colours, least=1)
        whole("classes", self.classes, least=2)
        given: Any = self.blocks
        if not isinstance(given, tuple) or not given or not all(isinstance(one, tuple) and one for one in given):
            raise ValueError(f"blocks is {given!r:.60}; it must be a tuple of tuples, one of channels for each block")
        for channels in sum(self.blocks, ()):
            whole("blocks", channels, least=1)
        if self.side % 2 ** len(self.blocks):
            raise ValueError(
                f"side is {self.side}; it must be divisible by {2 ** len(self.blocks)}, for {len(self.blocks)} poolings"
            )

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """The shapes of θ: kernel and biases of each layer."""
        found: list[tuple[int, ...]] = []
        before = self.colours
        for channels in sum(self.blocks, ()):
            found += [(channels, before, 3, 3), (channels,)]
            before = channels
        return (*found, (self.classes, before * (self.side // 2 ** len(self.blocks)) ** 2), (self.classes,))

    @property
    def layers(self) -> int:
        """Number L of layers with weights; without biases the network is homogeneous of this degree."""
        return len(self.shapes) // 2

    @property
    def size(self) -> int:
        """Number of weights."""
        return int(sum(np.prod(shape) for shape in self.shapes))

    @property
    def units(self) -> int:
        """Number of ReLUs for one image."""
        return sum(sum(block) * (self.side // 2**k) ** 2 for k, block in enumerate(self.blocks))

    def memory(self, batch: int) -> int:
        """Bytes of a training step: four copies of θ, and each ReLU's input, output and two slopes for each image."""
        return NUMBER * (4 * self.size + 4 * self.units * whole("batch", batch, least=1))

    def draw(self, generator: np.random.Generator) -> tuple[Array, ...]:
        """Independent Gaussian kernels, of variance 2 over a unit's inputs, 1 over them in the last layer; biases 0.

        generator: the stream of the initialization.

        Returns NumPy arrays.
        Reference: He et al. 2015, equation 10.
        """
        instance("generator", generator, np.random.Generator)
        memory("blocks", str(self.blocks), 4 * NUMBER * self.size)
        theta = []
        for shape in self.shapes:
            gain = 2.0 if len(shape) == 4 else 1.0
            spread = np.sqrt(gain / np.prod(shape[1:])) if len(shape) > 1 else 0.0
            theta.append(spread * generator.standard_normal(shape))
        return tuple(theta)

    def output(self, theta: Weights, x: Any) -> Any:
        """h(θ, x), N × C, or R × N × C.

        theta: tensors of these shapes, or of R networks.
        x: images as rows, N × (colours · side²), or R × N × (colours · side²), a tensor on the same device.
        """
        return self.layerwise(theta, x)[0]

    def pattern(self, theta: Weights, x: Any) -> Any:
        """Which ReLUs are active, N × units, or R × N × units, truth values."""
        with extra():
            import torch  # takes a second: only where it is asked for

        with torch.no_grad():
            return torch.cat([(z > 0).flatten(-3) for z in self.layerwise(theta, x)[1]], dim=-1)

    def layerwise(self, theta: Weights, x: Any) -> tuple[Any, list[Any], list[Any]]:
        """The outputs, what each layer's ReLUs are given, and what each layer is given.

        theta: tensors of these shapes, or of R networks.
        x: images as rows, N × (colours · side²), or R × N × (colours · side²), a tensor on the same device.

        Returns N × C; for each convolution its outputs; the inputs of each convolution, and of the linear layer N × p.
        Of R networks each has R before its other axes.
        """
        with extra():
            from torch import channels_last
            from torch.nn import functional

        stacked = theta[0].ndim == 5
        groups = len(theta[0]) if stacked else 1  # the networks stand side by side, as groups of channels

        def apart(z: Any) -> Any:
            return z.unflatten(1, (groups, -1)).transpose(0, 1) if stacked else z

        z = x.reshape(groups, -1, self.colours, self.side, self.side).transpose(0, 1).flatten(1, 2)
        if stacked:
            z = z.contiguous(memory_format=channels_last)  # a quarter faster in float32 on a CPU
        layer, before, inputs = 0, [], []
        for block in self.blocks:
            for _ in block:
                inputs.append(apart(z))
                kernel, biases = theta[layer].flatten(0, -4), theta[layer + 1].flatten()
                z = functional.conv2d(z, kernel, biases, padding=1, groups=groups)
                before.append(apart(z))
                z, layer = z.relu(), layer + 2
            z = functional.max_pool2d(z, 2)
        inputs.append(apart(z).flatten(-3))
        return inputs[-1] @ theta[layer].mT + theta[layer + 1].unsqueeze(-2), before, inputs


def vgg11(side: int, colours: int, classes: int, channels: int = 64) -> ConvNet:
    """The eight convolutions of VGG-11, with one linear layer at the end and no normalization of batches.

    side, colours, classes: as in ConvNet; side is divisible by 32.
    channels: of the first convolution; the others have two, four and eight times as many.

    Reference: Simonyan and Zisserman 2015, Table 1, column A.

    >>> net = vgg11(side=32, colours=3, classes=10, channels=4)
    >>> net.layers, [len(block) for block in net.blocks]
    (9, [1, 1, 2, 2, 2])
    """
    c = whole("channels", channels, least=1)
    return ConvNet(side, colours, ((c,), (2 * c,), (4 * c, 4 * c), (8 * c, 8 * c), (8 * c, 8 * c)), classes)
