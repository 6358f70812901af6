"""Every argument of every public function, spoiled in every way: finite numbers, or one clear line that names it."""

from random import Random

import numpy as np
import pytest
from attacks.calls import ADDRESSES, brief, every_spoiled, plain, unclear
from attacks.recipes import RECIPES, callable_of
from tiers import thinned


@pytest.mark.parametrize("address", thinned([one for one in ADDRESSES if callable_of(one) is not None], every=8))
def test_a_spoiled_argument_is_refused_in_one_clear_line(address):
    bad = []
    for name, good in RECIPES[address](np.random.default_rng(1)).items():
        for value in every_spoiled(Random(address), good) if plain(good) else ():
            why = unclear(address, RECIPES[address](np.random.default_rng(1)), name, value)
            bad += [f"{name}={brief(value)}: {why}"] if why else []
    assert bad == []
