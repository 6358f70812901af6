"""A program without a solution says so; test_rank_two.py compares the answers with the closed form."""

import numpy as np
import pytest

from implicit_bias.data import Classification
from implicit_bias.limits.certificate import CertificateError
from implicit_bias.limits.margin import two_neuron_program


def test_programs_without_a_solution_say_so():
    same = Classification(x=np.array([[1.0, 0.0], [1.0, 0.0]]), y=np.array([1.0, -1.0]))
    with pytest.raises(CertificateError, match="the program was not solved"):
        two_neuron_program(same, 0.5, 1, 1)
