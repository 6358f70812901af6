"""The minimizer of Q_k by SciPy's L-BFGS on its dual, as one would otherwise find it, and Newton's steps after it."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

MEMORY = 60  # of the memories 10, 30 and 60 the fastest here


def by_lbfgs(root, x, y, gradient, newton=0):
    """argmin Q_k(w) subject to Xw = y; value and gradient of the dual share their products and their sinh.

    root: √k, d numbers; gradient: the dual's at which L-BFGS stops; newton: steps after it, by a symmetric product.
    """

    def primal(dual):
        sinh = np.sinh(dual @ x)
        return sinh, root * sinh * np.sqrt(1 + sinh**2)

    def lowered(dual):
        sinh, w = primal(dual)
        return float(root @ sinh**2) / 2 - float(y @ dual), x @ w - y

    options = {"maxcor": MEMORY, "gtol": gradient, "ftol": 0, "maxiter": 5000, "maxfun": 10_000}
    dual = minimize(lowered, np.zeros(y.size), jac=True, method="L-BFGS-B", options=options).x
    for _ in range(newton):
        _, w = primal(dual)
        rows = x * (4 * w**2 + root**2) ** 0.25
        dual = dual + cho_solve(cho_factor(rows @ rows.T), y - x @ w)
    return primal(dual)[1]
