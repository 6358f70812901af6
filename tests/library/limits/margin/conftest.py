import pytest
from library.helpers import nearly_orthogonal_points


@pytest.fixture
def problem():
    return nearly_orthogonal_points()
