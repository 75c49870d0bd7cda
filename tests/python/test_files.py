"""Vehicles and scenarios as objects. Oracle: the same numbers by overrides, or written into the file's text."""
import pytest

import semirec


def test_a_set_number_is_the_one_of_overrides_to_the_bit(quarter_car):
    by_set = semirec.Car(semirec.Vehicle(quarter_car).set("chassis.mass", 300))
    by_override = semirec.Car(quarter_car, overrides={"chassis.mass": 300})
    for car in (by_set, by_override):
        car.step(50)
    assert by_set.save() == by_override.save()


def test_a_text_is_the_file_that_holds_it(quarter_car):
    text = semirec.Vehicle(text=quarter_car.read_text())
    values = [{name: q.value for name, q in semirec.equilibrium(vehicle).quantities.items()} for vehicle in (text, quarter_car)]
    assert values[0] == values[1]
    heavier = semirec.Vehicle(text=quarter_car.read_text().replace('value="400"', 'value="500"'))
    # closed form: the tyre carries (500 + 40) kg
    assert semirec.equilibrium(heavier)["wheel.Fz"] == pytest.approx(540 * 9.81, rel=1e-9)


def test_a_text_names_its_own_path_and_line_in_errors(quarter_car, tmp_path):
    text = quarter_car.read_text()
    broken = semirec.Vehicle(tmp_path / "mine.xml", text=text.replace("<body ", "<bodi ", 1))
    with pytest.raises(semirec.ModelError) as told:
        semirec.Car(broken)
    assert told.value.file == str(tmp_path / "mine.xml")
    assert told.value.line == 1 + text[:text.index("<body ")].count("\n") and told.value.element


def test_errors_without_a_line_name_their_file_or_element(quarter_car, models, tmp_path):
    def place(vehicle, **options):
        with pytest.raises(semirec.ModelError) as told:
            semirec.Car(vehicle, **options)
        return told.value.file, told.value.line, told.value.element

    nowhere = str(tmp_path / "nowhere.xml")
    assert place(nowhere) == (nowhere, None, None)
    assert place(quarter_car, overrides={"chassis.no_such": 1}) == (None, None, "chassis")
    tyre = tmp_path / "empty.tir"
    tyre.write_text("")
    text = (models / "sedan.xml").read_text().replace("tyres/touring_225.tir", str(tyre))
    assert place(semirec.Vehicle(models / "sedan.xml", text=text)) == (str(tyre), None, "file")
    assert place(quarter_car, iterations=-1) == (None, None, None)


def test_the_last_set_counts_and_a_copy_is_on_its_own(quarter_car):
    first = semirec.Vehicle(quarter_car).set("chassis.mass", 300).set("chassis.mass", 350)
    second = first.copy().set("chassis.mass", 375)
    mass = [vehicle.parameters["chassis.mass"].value for vehicle in (first, second, semirec.Vehicle(quarter_car))]
    assert mass == [350, 375, 400]


def test_parameters_are_the_numbers_of_the_file_with_units(quarter_car):
    known = semirec.Vehicle(quarter_car).parameters
    assert known["body_mass.value"].value == 400
    assert known["chassis.mass"][:2] == (400.0, "kg")
    assert known["hub.inertia"].value == (0.1, 0.1, 0.1)
    assert known["strut.k"].value == 20000 and known["strut.preload"].value == pytest.approx(-9.81 * 400)
    for name, number in known.items():
        semirec.Vehicle(quarter_car).set(name, number.value).parameters  # set() takes each of them


def test_a_scenario_is_changed_where_a_vehicle_is(models, scenarios):
    scenario = semirec.Scenario(scenarios / "step_steer.xml").set("run.until", 0.05).set("start.speed", 10).set(
        "steering.start", 0.01).set("steering.end", 0.02)
    drive = semirec.run(models / "sedan.xml", scenario)
    assert drive["time"][-1] == 0.05 and drive["chassis.vx"][0] == pytest.approx(10, abs=1e-9)
    assert drive["steering.value"][-1] == 0.6
    text = semirec.Scenario(text=(scenarios / "step_steer.xml").read_text()).set("run.until", 0.05).set("start.speed", 10)
    assert semirec.run(models / "sedan.xml", text)["chassis.vx"][0] == pytest.approx(10, abs=1e-9)


def test_description_has_what_a_car_has(models, scenarios):
    about = semirec.Vehicle(models / "sedan.xml").describe(scenarios / "step_steer.xml")
    car = semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml")
    assert tuple(about.inputs.items()) == tuple(zip(car.input_names, car.input_units))
    assert tuple(about.outputs.items()) == tuple(zip(car.output_names, car.output_units))


@pytest.mark.parametrize("path, value, told", [
    ("chasis.mass", 300, "there is no such element, nearest known name is 'chassis'"),
    ("chassis.mas", 300, "nearest known name is 'mass'"),
    ("chassis.mass", -1, "above zero"),
    ("chassis", 300, "expected element.attribute=value"),
    ("chassis.mass", float("nan"), "expected"),
])
def test_what_cannot_be_set_is_told(quarter_car, path, value, told):
    with pytest.raises(semirec.ModelError, match=told):
        semirec.Car(semirec.Vehicle(quarter_car).set(path, value))


def test_neither_file_nor_text_is_refused():
    with pytest.raises(TypeError, match="expected one of them"):
        semirec.Vehicle()
