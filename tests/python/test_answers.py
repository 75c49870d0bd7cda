"""Runs and answers. Expected numbers: closed forms and other parts of the interface, said on the lines."""
import numpy as np
import pytest

import semirec


def test_a_run_is_a_table_that_ends_where_it_was_asked_to(models, scenarios):
    drive = semirec.run(models / "sedan.xml", scenarios / "step_steer.xml", until=0.2, step=1e-3, record=0.01, iterations=2)
    assert drive.status == "finished" and drive.message == ""
    assert len(drive) == 21 and drive["time"] == pytest.approx(np.linspace(0.0, 0.2, 21), abs=1e-12)
    assert drive.unit("chassis.wz") == "rad/s" and "chassis.wz" in drive
    assert set(drive.to_dict()) == set(drive.names)
    assert not drive.balance_broken
    with pytest.raises(KeyError, match="no column 'chassis.ww'"):
        drive["chassis.ww"]


def test_a_run_says_what_was_not_as_it_should_be(models, scenarios):
    loose = semirec.run(models / "double_four_bar.xml", scenarios / "free_10s.xml", step=1e-2, iterations=1)
    assert loose.status == "finished"
    assert any("ended with a correction or a closure above 1e-06" in note for note in loose.notes)
    tight = semirec.run(models / "double_four_bar.xml", scenarios / "free_10s.xml", step=1e-3, until=0.5)
    assert not any("ended with" in note for note in tight.notes)
    assert not any("a row every" in note or "damps" in note for note in tight.notes)
    uneven = semirec.run(models / "double_four_bar.xml", scenarios / "free_10s.xml", step=1e-2, until=0.1, record=0.025)
    assert any("no multiple of the step of 0.01 s" in note for note in uneven.notes)


def test_answers_say_what_their_files_ask_for_in_vain(tmp_path, models, manoeuvres):
    tyre = (models / "tyres/touring_225.tir").read_text().replace("[DIMENSION]", "[DIMENSION]\nFOO = 3", 1)
    (tmp_path / "foo.tir").write_text(tyre)
    sedan = semirec.Vehicle(models / "sedan.xml").set("touring.file", str(tmp_path / "foo.tir"))
    for ask in (semirec.equilibrium, semirec.modes, lambda car: semirec.kc(car, tests=["parallel"]),
                lambda car: semirec.manoeuvre(car, manoeuvres / "step_steer.xml", quick=True)):
        assert ask(sedan).notes[0].endswith("[DIMENSION] not used: FOO")


def test_a_run_says_what_a_scheme_that_damps_does_in_global(models, scenarios):
    damped = semirec.Scenario(scenarios / "free_10s.xml").set("run.scheme", "hht").set("run.alpha", -0.1)
    told = {formulation: semirec.run(models / "double_four_bar.xml", damped, until=0.05, formulation=formulation).notes
            for formulation in ("global", "hybrid")}
    assert any("takes energy from every rotation" in note for note in told["global"])
    assert not any("takes energy" in note for note in told["hybrid"])


def test_a_run_and_a_stepped_car_are_the_same(models, scenarios):
    """But for the last bit of the time, which the two count differently, and what it moves."""
    files = models / "sedan.xml", scenarios / "step_steer.xml"
    drive = semirec.run(*files, until=0.3, step=1e-3, record=1e-3, iterations=2)
    assert len(drive) == 301
    car = semirec.Car(*files, step=1e-3, iterations=2)
    assert tuple(drive.names) == car.output_names
    peak = np.abs(drive.rows).max(axis=0)
    for row in drive.rows[1:]:
        car.step()
        assert (np.abs(row - car.outputs) <= 1e-9 * np.maximum(peak, 1.0)).all(), car.time


def test_a_quarter_cars_eigenvalues(quarter_car):
    """Closed form: M x'' + C x' + K x = 0 of the two masses, by numpy."""
    m, c, k, tyre = np.array([400.0, 40.0]), 1500.0, 20e3, 200e3
    K = np.array([[k, -k], [-k, k + tyre]]) / m[:, None]
    C = np.array([[c, -c], [-c, c]]) / m[:, None]
    expected = np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], [-K, -C]]))
    found = semirec.modes(quarter_car)
    assert len(found.modes) == 2
    for mode in found.modes:
        assert isinstance(mode.value, complex)
        assert np.abs(expected - mode.value).min() < 1e-6 * abs(mode.value), mode
    assert found.A.shape == (4, 4) == (len(found.states),) * 2
    assert found.C.shape == (len(found.outputs), 4)


def test_a_linear_system_has_the_rows_and_columns_that_it_names(models):
    car = semirec.modes(models / "sedan.xml", speed=20.0, inputs=["steering"], outputs=["chassis.wz", "chassis.roll"])
    n, u, y = len(car.states), len(car.inputs), len(car.outputs)
    assert car.A.shape == (n, n) and car.B.shape == (n, u) and car.C.shape == (y, n) and car.D.shape == (y, u)
    assert "steering" in car.inputs and car.outputs == ["chassis.wz", "chassis.roll"]


def test_equilibrium_carries_the_weight(quarter_car, models):
    """Closed form: the tyre carries (400 + 40) kg, the spring its preload."""
    answer = semirec.equilibrium(quarter_car)
    assert answer["wheel.Fz"] == pytest.approx(440 * 9.81, rel=1e-9)
    assert answer.quantities["wheel.Fz"].unit == "N"
    turning = semirec.equilibrium(models / "sedan.xml", speed=20.0, lateral_acceleration=[1.0, 2.0])
    assert turning.tables and all(t.rows.shape == (len(t), len(t.names)) for t in turning.tables.values())
    with pytest.raises(KeyError, match="no quantity 'weight_'"):
        answer["weight_"]


def test_kc_of_one_axle(models):
    answer = semirec.kc(models / "sedan.xml", axle="front", tests=["parallel"], points=5)
    table = answer.tables["front_parallel"]
    assert len(table) == 5 and all(name.startswith("front.") for name in answer.quantities)


def test_a_manoeuvre_with_another_speed(models, manoeuvres):
    answer = semirec.manoeuvre(models / "sedan.xml", manoeuvres / "coast_down.xml", quick=True, speed=15)
    assert answer.quantities and answer.title
    with pytest.raises(semirec.ModelError, match="speed_"):
        semirec.manoeuvre(models / "sedan.xml", manoeuvres / "coast_down.xml", speed_=15)


@pytest.mark.parametrize("call", [
    lambda m: semirec.run(m / "sedan.xml", "nowhere.xml"),
    lambda m: semirec.run(m / "sedan.xml", None, formulation="hybird"),
    lambda m: semirec.equilibrium(m / "sedan.xml", hold="hands"),
    lambda m: semirec.modes(m / "sedan.xml", inputs=["stering"]),
    lambda m: semirec.kc(m / "sedan.xml", position="up"),
    lambda m: semirec.kc(m / "sedan.xml", overrides={"no_such.k": 1}),
])
def test_what_cannot_be_used_is_a_model_error_in_one_line(call, models):
    with pytest.raises(semirec.ModelError) as told:
        call(models)
    assert "expected" in str(told.value) or "nearest" in str(told.value) or "cannot be read" in str(told.value)
    assert "\n" not in str(told.value)


def test_steady_states_out_of_reach_are_an_analysis_error(models):
    with pytest.raises(semirec.AnalysisError):
        semirec.equilibrium(models / "sedan.xml", speed=20.0, lateral_acceleration=60.0)


@pytest.mark.parametrize("changes, told", [
    (dict(until=-1), "until is -1, expected a time above 0 s"),
    (dict(until=np.inf), "until is inf"),
    (dict(step=-1e-3), "step is -0.001, expected a step above 0 and of at most 1 s"),
    (dict(step=np.nan), "step is nan"),
    (dict(step=2.0), "step is 2"),
    (dict(record=-1), "record is -1, expected an interval above 0 s"),
    (dict(iterations=-4), "iterations is -4, expected 1 to 100"),
    (dict(until=1.0, step=1e-10), r"until over step is 1e\+10, expected at most 1e9 steps"),
])
def test_numbers_that_no_run_has_are_refused(models, scenarios, changes, told):
    with pytest.raises(semirec.ModelError, match=told) as refused:
        semirec.run(models / "sedan.xml", scenarios / "step_steer.xml", **changes)
    assert "\n" not in str(refused.value)


def test_a_lateral_acceleration_may_be_any_number(models):
    """Oracle: the same as a float."""
    ask = lambda lateral: semirec.equilibrium(models / "sedan.xml", speed=20.0, lateral_acceleration=lateral)["chassis.roll"]
    expected = ask(2.0)
    for number in (2, np.int64(2), np.float32(2), np.array(2.0), [2.0], (np.float32(2),)):
        assert ask(number) == expected, repr(number)


def test_answers_and_tables_are_gone_through_by_name(models, scenarios):
    answer = semirec.equilibrium(models / "sedan.xml")
    assert "chassis.z" in answer and "chassis.zz" not in answer
    assert dict(answer) == {name: quantity.value for name, quantity in answer.quantities.items()}
    drive = semirec.run(models / "sedan.xml", scenarios / "step_steer.xml", until=0.01)
    assert list(drive) == drive.names
    assert all((column == drive[name]).all() for name, column in dict(drive).items())


def test_one_name_is_not_taken_letter_by_letter(models):
    with pytest.raises(TypeError, match="inputs is the text 'steering', expected a list of names"):
        semirec.modes(models / "sedan.xml", inputs="steering")
