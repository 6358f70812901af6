"""The kernel of the torus against sums over frequencies."""

import numpy as np
from library.helpers import both

from implicit_bias.limits.measures.dirichlet_kernel import kernel


@both
def test_kernel_is_the_product_of_the_complex_features(problem):
    generator = np.random.default_rng(1)
    x, y = (generator.uniform(0, 7, (n, problem.dimension)) for n in (4, 3))
    k = problem.frequencies
    expected = (np.exp(-1j * x @ k.T) @ np.exp(1j * k @ y.T)).real
    value, gradient, hessian = kernel(x, y, problem.cutoff)
    np.testing.assert_allclose(value, expected, atol=1e-12)
    for axis, step in enumerate(1e-5 * np.eye(problem.dimension)):
        up, down = kernel(x + step, y, problem.cutoff), kernel(x - step, y, problem.cutoff)
        np.testing.assert_allclose(gradient[..., axis], (up[0] - down[0]) / 2e-5, atol=1e-7)
        np.testing.assert_allclose(hessian[..., axis, :], (up[1] - down[1]) / 2e-5, atol=1e-6)
