from __future__ import annotations

import pytest

from privrag_fast.detection.gliner import Gliner
from tests.detection import tiny_gliner


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory):
    return tiny_gliner.build(tmp_path_factory.mktemp("detector"))


@pytest.fixture(scope="session")
def gliner(tiny_folder):
    """Finds the planted names, places and ages of `tiny_gliner`."""
    return Gliner(tiny_folder, labels={"PERSON": "name", "LOCATION": "location", "AGE": "age"})
