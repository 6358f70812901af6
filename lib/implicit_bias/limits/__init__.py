"""What theory predicts, by methods that know nothing of training, each prediction with a certificate."""

from implicit_bias.limits.blasso import SparseMeasure, blasso
from implicit_bias.limits.certificate import Certificate, CertificateError
from implicit_bias.limits.conic import hypentropy_conic
from implicit_bias.limits.entropic import EntropicBound, mirror_constant
from implicit_bias.limits.hypentropy import HyperbolicEntropy, Interpolator
from implicit_bias.limits.least_l1 import LeastL1, least_l1
from implicit_bias.limits.least_norm import LeastNorm, least_norm
from implicit_bias.limits.max_margin import L1MaxMargin, MaxMargin, l1_max_margin, max_margin
from implicit_bias.limits.sharpness import LocalRates

__all__ = [
    "Certificate",
    "CertificateError",
    "EntropicBound",
    "HyperbolicEntropy",
    "Interpolator",
    "L1MaxMargin",
    "LeastL1",
    "LeastNorm",
    "LocalRates",
    "MaxMargin",
    "SparseMeasure",
    "blasso",
    "hypentropy_conic",
    "l1_max_margin",
    "least_l1",
    "least_norm",
    "max_margin",
    "mirror_constant",
]
