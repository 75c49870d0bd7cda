"""The package of the build tree and the models of the source tree."""
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True


@pytest.fixture(scope="session")
def models():
    return ROOT / "vehicles" / "models"


@pytest.fixture(scope="session")
def scenarios():
    return ROOT / "vehicles" / "scenarios"


@pytest.fixture(scope="session")
def manoeuvres():
    return ROOT / "vehicles" / "manoeuvres"


@pytest.fixture(scope="session")
def quarter_car():
    """Masses 400 and 40 kg, spring 20 kN/m with 1.5 kN s/m, tyre 200 kN/m."""
    return ROOT / "tests" / "python" / "quarter_car.xml"
