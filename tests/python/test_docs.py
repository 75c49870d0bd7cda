"""What the docstrings show is run."""
import doctest
import pathlib
import re

import pytest

import semirec.answers
import semirec.cars


@pytest.mark.parametrize("module", [semirec.cars, semirec.answers], ids=lambda m: m.__name__)
def test_examples_in_docstrings(module, models, scenarios):
    names = dict(vars(module), models=models, scenarios=scenarios)
    result = doctest.testmod(module, extraglobs=names)
    assert result.attempted > 0 and result.failed == 0


ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/how_to/python.md").read_text()


@pytest.mark.parametrize("code", re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S), ids=["step", "batch", "ask"])
def test_the_code_of_the_page(code, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(compile(code, "docs/how_to/python.md", "exec"), {})
