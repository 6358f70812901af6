"""The implicit bias of gradient methods: problems, models, flows, and the limits that theory predicts.

data, losses → models → flows is how a predictor is trained; limits is what theory says of the outcome, each optimum
with a certificate. limits never imports models or flows: the prediction does not know the training.

The forty names that one looks for first are here, all others in their rooms; nothing is loaded before it is asked for.

>>> import implicit_bias
>>> round(implicit_bias.max_margin([[3.0, 4.0]]).margin, 12)
5.0
"""

from typing import TYPE_CHECKING

from implicit_bias.late import names_of

if TYPE_CHECKING:  # the same forty for a type checker
    # isort: off
    from implicit_bias.activations import LeakyReLU as LeakyReLU
    from implicit_bias.data import (
        Classification as Classification,
        Regression as Regression,
        separable as separable,
        sparse_regression as sparse_regression,
        three_spikes as three_spikes,
    )
    from implicit_bias.flows import (
        FlowError as FlowError,
        descend as descend,
        follow as follow,
        gradient_flow as gradient_flow,
        log_time_flow as log_time_flow,
    )
    from implicit_bias.limits.adaptivity import kernel_ridge as kernel_ridge, variation_fit as variation_fit
    from implicit_bias.limits.certificate import Certificate as Certificate, CertificateError as CertificateError
    from implicit_bias.limits.interpolation import (
        HyperbolicEntropy as HyperbolicEntropy,
        least_l1 as least_l1,
        least_norm as least_norm,
    )
    from implicit_bias.limits.lazy import kernel_regression as kernel_regression
    from implicit_bias.limits.margin import (
        kernel_margin as kernel_margin,
        l1_max_margin as l1_max_margin,
        max_margin as max_margin,
        rank_two as rank_two,
        variation_margin as variation_margin,
    )
    from implicit_bias.limits.measures import blasso as blasso
    from implicit_bias.limits.mirror import ramp_spline as ramp_spline
    from implicit_bias.limits.neuron import (
        leaky_neuron_limit as leaky_neuron_limit,
        linear_neuron_limit as linear_neuron_limit,
    )
    from implicit_bias.limits.stable_rank import spiked_stable_rank as spiked_stable_rank
    from implicit_bias.limits.wide import mean_field_flow as mean_field_flow
    from implicit_bias.losses import Exponential as Exponential, Logistic as Logistic, Squared as Squared
    from implicit_bias.models.linear import (
        DiagonalFlow as DiagonalFlow,
        DiagonalNetwork as DiagonalNetwork,
        LinearClassifier as LinearClassifier,
    )
    from implicit_bias.models.measures import ParticleMeasure as ParticleMeasure
    from implicit_bias.models.two_layer import Risk as Risk, TwoLayer as TwoLayer
    from implicit_bias.models.univariate import RampNetwork as RampNetwork

__version__ = "0.2.0"  # a test holds it to that of pyproject.toml

_NAMES = {
    "data": "Classification Regression separable sparse_regression three_spikes",
    "losses": "Exponential Logistic Squared",
    "activations": "LeakyReLU",
    "models.linear": "DiagonalFlow DiagonalNetwork LinearClassifier",
    "models.measures": "ParticleMeasure",
    "models.two_layer": "Risk TwoLayer",
    "models.univariate": "RampNetwork",
    "flows": "FlowError descend follow gradient_flow log_time_flow",
    "limits.certificate": "Certificate CertificateError",
    "limits.interpolation": "HyperbolicEntropy least_l1 least_norm",
    "limits.neuron": "leaky_neuron_limit linear_neuron_limit",
    "limits.margin": "kernel_margin l1_max_margin max_margin rank_two variation_margin",
    "limits.adaptivity": "kernel_ridge variation_fit",
    "limits.lazy": "kernel_regression",
    "limits.measures": "blasso",
    "limits.mirror": "ramp_spline",
    "limits.stable_rank": "spiked_stable_rank",
    "limits.wide": "mean_field_flow",
}
_HOME = {name: room for room, names in _NAMES.items() for name in names.split()}
__all__ = sorted(_HOME)
__getattr__, __dir__ = names_of(__name__, _HOME)
