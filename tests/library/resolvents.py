"""The fluctuation of a spiked matrix's stable rank by another way than the library's."""

import numpy as np
from scipy.optimize import brentq


def by_resolvents(theta, m, d):
    """The fluctuation of a spike from the resolvents of the noise, solved and differentiated numerically."""

    def forms(z):
        """The means of the two quadratic forms, d g_d and m g_m, with g_m = 1/(z − d g_d) and g_d = 1/(z − m g_m)."""
        across = z * z + d - m
        g_d = (across - np.sqrt(across**2 - 4 * d * z * z)) / (2 * d * z)
        return np.array([d * g_d, m / (z - d * g_d)])

    def top(noise):
        return (theta**2 + noise * m) * (theta**2 + noise * d) / theta**2

    z = brentq(lambda z: np.prod(z - forms(z)) - theta**2, np.sqrt(top(1)) * 0.999, np.sqrt(top(1)) * 1.001, xtol=1e-13)
    step = 1e-4 * z
    turned = (forms(z + step) - forms(z - step)) / (2 * step)
    slope = (np.prod(z + step - forms(z + step)) - np.prod(z - step - forms(z - step))) / (2 * step)
    squares = (forms(z) / z - turned) / 2  # tr G_d², tr G_m²
    mixed = -(forms(z)[1] / z + turned[1]) / 2  # tr G_md G_mdᵀ
    variance = 2 * squares @ (z - forms(z))[::-1] ** 2 + 4 * theta**2 * mixed
    of_top = (2 * z / slope) ** 2 * variance
    common = (top(1.001) - top(0.999)) / 0.001
    rank = (m * d + theta**2) / z**2
    return float(np.sqrt(2 * m * d - 2 * rank * common + rank**2 * of_top) / z**2)
