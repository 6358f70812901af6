"""The proof of κ: on problems with a formula, against samples of the quotient, and what is no bound is refused."""

import numpy as np
import pytest
from library.helpers import circle, refusal

from implicit_bias.data import Deconvolution, random_spikes, three_spikes, torus_grid
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.measures import LocalRates, blasso, enclose_sharpness
from implicit_bias.limits.measures.sharpness_certificate import _Landscape


def test_one_spike_on_the_circle_has_a_kappa_in_closed_form():
    # J′ = λ(1 − D(x)/5), D = 1 + 2 cos x + 2 cos 2x: opposite the spike D = 1, and κ = 4·λ·(1 − 1/5).
    problem = Deconvolution(np.array([[1.0]]), np.array([1.0]), cutoff=2)
    for penalty in (0.3, 1.0):
        kappa = enclose_sharpness(LocalRates(blasso(problem, penalty), 1.0, 1.0))
        assert kappa.low <= 3.2 * penalty <= kappa.high
        assert kappa.width < 2e-3
    # With α = 2 the spread of the spike is the slowest: κ = 2βG = 4λ.
    kappa = enclose_sharpness(LocalRates(blasso(problem, 1.0), 2.0, 1.0))
    assert kappa.low <= 4 <= kappa.high
    assert kappa.width < 2e-3


@pytest.mark.parametrize("penalty", [1.0, 4.0])
def test_no_point_has_less_and_more_is_not_proved(penalty):
    local = LocalRates(blasso(three_spikes(), penalty), 1.0, 1.0)
    kappa = enclose_sharpness(local)
    assert kappa.low <= local.sharpness <= kappa.high
    assert kappa.width < 2e-3
    assert kappa.low <= local.quotient(torus_grid(301, 2)).min()
    certified = _Landscape.of(local)
    with pytest.raises(CertificateError, match="not proved on"):
        certified.demand_cells(1.001 * local.sharpness, certified.balls(local.sharpness))
    with pytest.raises(CertificateError, match="no rate at the spikes"):
        certified.demand_modes(2.001 * float(local.spread[0].min()))


def test_a_spike_near_which_the_quotient_hardly_rises_is_certified_near_it_too():
    # The least quotient lies 3 % of a wavelength from the spike, and 2e-4 below its limit there. In between T is below
    # what rounding allows anywhere else, and at the spike itself twice the share is given up.
    drawn = random_spikes(np.random.default_rng(891564242).spawn(1)[0])
    local = LocalRates(blasso(drawn, 1.0), 1.0, 1.0)
    kappa = enclose_sharpness(local)
    assert kappa.low <= local.sharpness <= kappa.high
    assert kappa.width < 2.1e-3 * kappa.low
    nearest = np.abs(local.elsewhere[1] - local.limit.positions).max(axis=1).min()
    assert 1e-4 < nearest < 0.05
    assert local.elsewhere[0] < 2 * local.spread[0].min()


def test_what_is_not_near_a_minimizer_is_refused():
    limit = blasso(three_spikes(), 1.0)
    off = limit.moved(np.full(9, 1e-3))
    with pytest.raises(CertificateError, match="not proved to lie near"):
        enclose_sharpness(LocalRates(off, 1.0, 1.0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: enclose_sharpness(LocalRates(blasso(circle(), 1.0), 1.0, 1.0), share=0), "share is 0"),
        (lambda: enclose_sharpness(blasso(circle(), 1.0)), "local"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    refusal(call, message)
