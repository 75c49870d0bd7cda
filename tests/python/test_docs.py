"""What the docstrings and the page show is run; what they and the stubs name is there."""
import ast
import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re

import pytest

import semirec
from semirec import _core

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/how_to/python.md").read_text()
MODULES = sorted(module.name for module in pkgutil.iter_modules(semirec.__path__, "semirec."))


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("._core")])
def test_examples_in_docstrings(name, models, scenarios):
    module = importlib.import_module(name)
    names = {key: value for key, value in vars(semirec).items() if not key.startswith("_")}
    result = doctest.testmod(module, globs=dict(vars(module), **names, models=models, scenarios=scenarios))
    assert result.failed == 0
    assert result.attempted > 0 or ">>>" not in inspect.getsource(module)


@pytest.mark.parametrize("name", semirec.__all__)
def test_every_public_name_is_documented(name):
    thing = getattr(semirec, name)
    assert inspect.getdoc(thing)
    members = vars(thing).items() if inspect.isclass(thing) and thing.__module__.startswith("semirec.") else ()
    for member, value in members:
        if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
            assert inspect.getdoc(value), f"{name}.{member} has no docstring"


def test_all_public_functions_say_their_types():
    for name in semirec.__all__:
        thing = getattr(semirec, name)
        functions = [thing] if inspect.isfunction(thing) else [
            f for key, f in vars(thing).items() if inspect.isfunction(f) and not key.startswith("_")]
        for function in functions:
            missing = [p.name for p in inspect.signature(function).parameters.values()
                       if p.annotation is p.empty and p.name != "self"]
            assert not missing, f"{function.__qualname__}: {missing}"


def names_of(body):
    """Classes, functions and variables of a stub, with those of its classes."""
    names = {}
    for item in body:
        if isinstance(item, ast.ClassDef):
            names[item.name] = set(names_of(item.body))
        elif isinstance(item, ast.FunctionDef):
            names[item.name] = None
        elif isinstance(item, ast.AnnAssign):
            names[item.target.id] = None
    return names


def test_the_stub_of_the_extension_names_what_it_has():
    stub = names_of(ast.parse((pathlib.Path(semirec.__file__).parent / "_core.pyi").read_text()).body)
    own = {name for name in dir(_core) if not name.startswith("__")}
    assert set(stub) == own
    for name, members in stub.items():
        thing = getattr(_core, name)
        if members is None or issubclass(thing, BaseException):
            continue
        assert members == {member for member in vars(thing) if not re.fullmatch(r"__(?!init|len).*__|_pybind11.*", member)}, name


@pytest.mark.parametrize("code", re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S),
                         ids=lambda code: re.sub(r"\W+", "_", code.strip().splitlines()[-1])[:30])
def test_the_code_of_the_page(code, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(compile(code, "docs/how_to/python.md", "exec"), {})


def test_the_driver_of_the_page_reaches_the_yaw_rate_that_it_wants(monkeypatch, capsys):
    """To a fiftieth: what its proportional law leaves of what the first guess is off by."""
    monkeypatch.chdir(ROOT)
    code = next(code for code in re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S) if "who wants 0.1 rad/s" in code)
    exec(compile(code, "docs/how_to/python.md", "exec"), {})
    time, reached = re.search(r"([\d.]+) s: ([\d.]+) rad/s", capsys.readouterr().out).groups()
    assert float(time) == 2.0 and float(reached) == pytest.approx(0.1, rel=0.02)
