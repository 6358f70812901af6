"""A small softmax network, trained by mini-batches."""

import numpy as np

from implicit_bias.flows import Batches, minibatch_descent
from implicit_bias.models.two_layer import SoftmaxNetwork, accuracy, stable_rank

N, D, M, C = 12, 5, 7, 3


def descend(labelled, weights, steps=40, **options):
    x, targets, labels = labelled
    return minibatch_descent(
        lambda at, chosen: SoftmaxNetwork.batch_gradient(at, x[chosen], targets[chosen]),
        weights,
        Batches(N, 5, np.random.SeedSequence(3)),
        0.1,
        [0, 1, 7, steps - 1, steps],
        lambda at: [accuracy(SoftmaxNetwork.output(at, x), labels), stable_rank(at[0])],
        **options,
    )
