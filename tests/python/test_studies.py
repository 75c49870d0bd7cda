"""Sweeps and comparisons. Oracles: closed forms, the program's own files, another run of the same car."""
import csv
import os
import pathlib
import subprocess

import numpy as np
import pytest

import semirec

STUDY = """<study name="masses" version="1" vehicle="{vehicle}">
  <vary element="body_mass" attribute="value" values="300 400 500"/>
  <response command="equilibrium VEHICLE" quantities="wheel.Fz"/>
</study>
"""


@pytest.fixture
def study(quarter_car, tmp_path):
    file = tmp_path / "study.xml"
    file.write_text(STUDY.format(vehicle=quarter_car))
    return file


def test_wheel_loads_over_the_mass(study):
    """Closed form: the tyre carries the body and 40 kg of the wheel."""
    table = semirec.sweep(study)
    assert table.status == ["ok"] * 3 and len(table) == 3
    masses, loads = table.rows[:, 0], table.rows[:, 1]
    assert (masses == [300, 400, 500]).all()
    assert loads == pytest.approx((masses + 40) * 9.81, rel=1e-9)
    assert table.unit(table.names[1]) == "N"
    assert table.answer[f"{table.names[1]}.mean"] == pytest.approx(440 * 9.81, rel=1e-9)
    assert (semirec.sweep(text=study.read_text(), threads=1).rows == table.rows).all()


def test_a_sweep_has_the_rows_of_the_program(study, tmp_path):
    program = pathlib.Path(semirec.__file__).resolve().parents[2] / "bin" / "semirec"
    if not program.exists():
        pytest.skip("the program is not built")
    subprocess.run([str(program), "sweep", str(study), "--out", str(tmp_path / "out")], check=True, capture_output=True,
                   env=dict(os.environ))
    names, units, *rows = csv.reader((tmp_path / "out" / "results.csv").read_text().splitlines())
    table = semirec.sweep(study)
    assert names[1:-1] == table.names and units[1:-1] == table.units
    assert (np.array([[float(cell) for cell in row[1:-1]] for row in rows]) == table.rows).all()


def test_a_manoeuvre_is_found_by_its_name_wherever_python_runs(models, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = f"""<study name="s" version="1" vehicle="{models / "sedan.xml"}">
      <vary element="chassis" attribute="mass" as="mass" values="1300"/>
      <response command="manoeuvre coast_down VEHICLE --quick" quantities="*"/></study>"""
    assert semirec.sweep(text=text).status == ["ok"]


def test_what_a_study_asks_for_and_does_not_get_is_in_its_answer(scenarios, tmp_path):
    car = tmp_path / "car.xml"
    car.write_text("""<mechanism name="c" version="1"><body name="b" mass="1" com="0 0 0" inertia="1 1 1"/>
      <joint name="j" type="revolute" a="ground" b="b" point="0 0 0" axis="1 0 0"/>
      <rotational_spring name="rs" a="ground" b="b" point="0 0 0" axis="1 0 0"><law><table>
        <point x="-1" f="-30"/><point x="0" f="0"/><point x="1" f="60"/></table></law></rotational_spring></mechanism>""")
    text = f"""<study name="s" version="1" vehicle="{car}"><vary element="rs" attribute="f" as="f" values="-8 -9"/>
      <response command="run VEHICLE {scenarios / "let_go.xml"} --until 0.1" quantities="*"/></study>"""
    for _ in range(2):  # also where it has been said before; of both cars
        notes = semirec.sweep(text=text).answer.notes
        assert any("2 of 2 cars" in note and "'rs.f' is taken for that of the first <point> of 3" in note for note in notes), notes


def test_what_is_wrong_in_a_study_has_its_place(study):
    text = study.read_text()
    study.write_text(text.replace("body_mass", "bodi_mass"))
    with pytest.raises(semirec.ModelError, match="bodi_mass"):
        semirec.sweep(study)
    study.write_text(text.replace("<vary ", "<very "))
    with pytest.raises(semirec.ModelError) as told:
        semirec.sweep(study)
    assert told.value.file == str(study) and told.value.line


def test_formulations_beside_each_other(models, scenarios):
    table = semirec.compare(models / "double_four_bar.xml", scenarios / "free_10s.xml", until=0.5, steps=[0.02, 0.01],
                            formulations=["hybrid", "recursive"], measure="energy", repeat=1, largest_step=True)
    assert table.labels == ["hybrid", "recursive"] * 2 and (table["step"] == [0.01, 0.01, 0.02, 0.02]).all()
    assert table.status == ["good"] * 4 and table.unit("error") == "J"
    # the trapezoidal rule is of second order: half the step, a quarter of the error, to a fifth of that
    assert np.abs(table["error"][2:] / table["error"][:2]) == pytest.approx([4, 4], rel=0.2)
    assert (table["steps"] == [50, 50, 25, 25]).all() and (table["cpu"] > 0).all()
    assert set(table.largest) == {"hybrid", "recursive"} and all(step >= 0.01 for step in table.largest.values())
    assert list(table.to_dict())[0] == "label" and table.to_dict()["status"] == table.status
    assert table.notes == []


def test_a_comparison_has_the_notes_of_its_files(models, scenarios):
    table = semirec.compare(models / "sedan.xml", scenarios / "rest.xml", until=0.002, steps=[0.001], formulations=["hybrid"],
                            measure="energy", repeat=1, overrides={"chassis.inertia": [1e9, 2e9, 2e9]})
    assert any("has a moment of inertia of 2e+09 kg m^2" in note for note in table.notes)


@pytest.mark.parametrize("options, told", [
    (dict(formulations=["hybird"]), "hybird"),
    (dict(steps=[0.0]), "steps holds 0, expected steps above 0"),
    (dict(measure="enery"), "enery"),
    (dict(repeat=0), "repeat is 0"),
    (dict(until=-1.0), "until is -1, expected a time above 0 s"),
    (dict(until=float("nan")), "until is nan, expected a time above 0 s"),
    (dict(until=float("inf")), "until is inf, expected a time above 0 s"),
    (dict(good=-1.0), "good is -1, expected an error above 0"),
    (dict(good=float("nan")), "good is nan, expected an error above 0"),
    (dict(good=float("inf")), "good is inf, expected an error above 0"),
])
def test_wrong_questions_are_told(models, scenarios, options, told):
    with pytest.raises(semirec.ModelError, match=told):
        semirec.compare(models / "double_four_bar.xml", scenarios / "free_10s.xml", **options)
