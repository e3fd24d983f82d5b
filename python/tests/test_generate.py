"""Base clusterings of features."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from conclave import generate

FEATURES = np.random.default_rng(0).random((30, 3))
COUNTED = [name for name in generate.__all__ if "k" in inspect.signature(getattr(generate, name)).parameters]


@pytest.mark.parametrize("name", COUNTED)
def test_without_classes_a_number_of_clusters_is_asked_for_by_its_name(name):
    make = getattr(generate, name)
    with pytest.raises(ValueError, match=r"needs the number of clusters: give k, such as k=3 or k=\"2..10\", or .* truth"):
        make(FEATURES, 2)
    assert make(FEATURES, 2, k=3).shape == (30, 2)
    assert make(FEATURES, 2, truth=np.arange(30) % 2).max() <= 1
