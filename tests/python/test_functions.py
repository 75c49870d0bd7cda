"""Forces, tyres and drivers in Python. Oracles: the same law in the file, closed forms, a car without them."""
import threading

import numpy as np
import pytest

import semirec

G = 9.81


class Push(semirec.Force):
    """A constant force, N."""

    def __init__(self, size, **where):
        super().__init__("push", **where)
        self.size = size

    def force(self, time, position, rotation, velocity, angular_velocity):
        return self.size


class Wrong(semirec.Force):
    """Raises from a time on."""

    def __init__(self, body, after=0.05):
        super().__init__("wrong", body)
        self.after = after

    def force(self, time, position, rotation, velocity, angular_velocity):
        if time > self.after:
            raise LookupError("no such gust")
        return np.zeros(3)


def test_a_constant_load_on_the_quarter_car_is_carried_by_the_tyre(quarter_car):
    """Closed form: at rest the tyre carries the weight and the load."""
    drive = semirec.run(quarter_car, None, forces=[Push((0, 0, -1000.0), body="chassis")], until=12.0, step=1e-3)
    assert drive["wheel.Fz"][-1] == pytest.approx(440 * G + 1000, rel=1e-6)  # what moved is down by exp(-22)
    assert (drive["push.Fz"] == -1000).all() and drive.unit("push.Mz") == "N m"


def test_a_force_off_the_centre_of_mass_is_that_force_and_its_moment(models, scenarios):
    """Two of them, the moment worked out by hand; to round-off of the sums."""
    body, arm, size = "chassis", np.array([0.5, 0.2, 0.1]), np.array([10.0, 500.0, 100.0])

    class Both(semirec.Force):
        def force(self, time, position, rotation, velocity, angular_velocity):
            return [*size, *np.cross(rotation @ arm, size)]

    ends = []
    for force in (Push(size, body=body, point=arm), Both("push", body)):
        car = semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", forces=[force],
                          outputs=["chassis.x", "chassis.y", "chassis.z", "chassis.wx", "chassis.wz"])
        car.step(300)
        ends.append(car.outputs.copy())
    assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-11)


def test_what_a_force_raises_ends_the_step_and_the_car_stands_before_it(models):
    car = semirec.Car(models / "sedan.xml", forces=[Wrong("chassis")])
    with pytest.raises(LookupError, match="no such gust"):
        car.step(1000)
    assert car.time == pytest.approx(0.05, abs=1.5e-3)
    assert not car.report.settled
    before = car.save()
    with pytest.raises(LookupError, match="no such gust"):
        car.step()
    assert car.save() == before
    batch = semirec.Batch(car, 3, threads=2)
    with pytest.raises(LookupError, match="no such gust"):
        batch.step()


def test_what_a_force_raises_ends_a_run_and_the_making_of_a_car(models):
    with pytest.raises(LookupError, match="no such gust"):
        semirec.run(models / "sedan.xml", None, forces=[Wrong("chassis")], until=0.2)
    with pytest.raises(LookupError, match="no such gust"):
        semirec.Car(models / "sedan.xml", forces=[Wrong("chassis", after=-1.0)])


@pytest.mark.parametrize("force, error, told", [
    (Push((1, 2), body="chassis"), ValueError, "answers 2 numbers, expected 3 of a force, or 6"),
    (Push("much", body="chassis"), ValueError, "answers what is no row of numbers, expected 3"),
    (Push((0, 0, 0), body="chasis"), semirec.ModelError, "nearest known name is 'chassis'"),
    (Push((0, 0, 0), body="chassis", point=(0, 0)), semirec.ModelError, "expected x, y, z"),
    (semirec.Force("bare", "chassis"), NotImplementedError, "is to be written"),
    (Push((0, float("nan"), 0), body="chassis"), ValueError, "force '.*' answers a number that is not finite"),
    (Push((0, 0, 0), body="chassis", point=(0, 0, float("nan"))), semirec.ModelError, "a point that is not finite"),
])
def test_forces_that_are_none_are_told(models, force, error, told):
    with pytest.raises(error, match=told):
        semirec.Car(models / "sedan.xml", forces=[force]).step()


class Odd(Push):
    """A push of a given name."""

    def __init__(self, name):
        super().__init__((0, 0, 0), body="chassis")
        self.name = name


@pytest.mark.parametrize("names, told", [
    ([""], "the name of a force is '', expected letters"),
    (["a b"], "the name of a force is 'a b', expected letters"),
    (["gust", "gust"], "two forces have the name 'gust'"),
    (["wheel_fl"], "'wheel_fl': is a force with the name of another part"),
    (["chassis"], "'chassis': is a force with the name of another part"),
    (["rack"], "'rack': is a force with the name of another part"),
    (["lower_arm_fl"], "'lower_arm_fl': is a force with the name of another part"),
])
def test_names_of_forces_are_names_of_their_own(models, scenarios, names, told):
    forces = [Odd(name) for name in names]
    with pytest.raises(semirec.ModelError, match=told):
        semirec.Car(models / "sedan.xml", forces=forces)
    with pytest.raises(semirec.ModelError, match=told):
        semirec.run(models / "sedan.xml", scenarios / "step_steer.xml", until=0.1, forces=forces)


def test_forces_of_other_names_have_outputs_of_their_own(models):
    names = ["gust", "gust.2", "wheel_fl_2", "chass-is"]
    car = semirec.Car(models / "sedan.xml", forces=[Odd(name) for name in names])
    assert len(set(car.output_names)) == len(car.output_names) and all(f"{name}.Mz" in car.output_names for name in names)


class Counted(semirec.Force):
    """Raises in the calls, counted from `calls = 0`, that are named."""

    def __init__(self):
        super().__init__("counted", "chassis")
        self.calls, self.raising = 0, ()

    def force(self, time, position, rotation, velocity, angular_velocity):
        self.calls += 1
        if self.calls in self.raising:
            raise LookupError(f"call {self.calls}")
        return 0.0, 0.0, 100.0 * time

    def raise_in(self, *calls):
        self.calls, self.raising = 0, calls


def test_what_is_raised_as_outputs_are_evaluated_leaves_the_car_before_the_step(models, scenarios):
    """Oracle: a car whose force never raises."""
    force = Counted()
    make = lambda: semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", forces=[force],
                               outputs=["time", "counted.Fz"])
    car, other = make(), make()
    force.raise_in()
    car.step()
    other.step()
    calls = force.calls // 2  # of a step with its outputs, the last of which is theirs
    before, outputs = car.save(), car.outputs.copy()
    for call in range(1, calls + 1):
        force.raise_in(call)
        with pytest.raises(LookupError, match=f"call {call}"):
            car.step()
        assert car.save() == before and (car.outputs == outputs).all(), call
    # the third of three steps: outputs are those after two
    force.raise_in(3 * (calls - 1) + 1)
    with pytest.raises(LookupError):
        car.step(3)
    other.step(2)
    assert car.save() == other.save() and (car.outputs == other.outputs).all()
    force.raise_in()
    car.step(5)
    other.step(5)
    assert car.save() == other.save()


def test_what_is_raised_as_a_state_is_restored_is_raised_then(models, scenarios):
    force = Counted()
    car = semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", forces=[force], outputs=["time", "counted.Fz"])
    batch = semirec.Batch(car, 2)
    state = car.save()
    car.step(5)
    batch.step(5)
    force.raise_in(1)
    with pytest.raises(LookupError, match="call 1"):
        car.restore(state)
    assert car.save() == state
    car.step()  # and is forgotten
    force.raise_in(1)
    with pytest.raises(LookupError, match="call 1"):
        batch.reset()
    assert (batch.times == 0).all() and batch.status == ["", ""]
    batch.step()
    assert batch.status == ["", ""]


@pytest.fixture
def sedan_on(models):
    """A sedan on tyres of a function."""
    text = (models / "sedan.xml").read_text()
    shipped = '<tyre name="touring" file="tyres/touring_225.tir"/>'
    assert shipped in text

    def make(name):
        law = (f'<tyre name="touring"><foreign function="{name}" radius="0.32" stiffness="200000" damping="50" '
               'nominal_load="4000"/></tyre>')
        return semirec.Vehicle(models / "sedan.xml", text=text.replace(shipped, law))

    return make


def linear(load, kappa, tan_alpha, gamma, turn_slip, speed, friction):
    return 20.0 * load * kappa, -15.0 * load * tan_alpha


def test_side_forces_of_a_python_tyre_are_those_of_its_law(sedan_on, scenarios):
    semirec.register_tyre("linear_law", linear)
    car = semirec.Car(sedan_on("linear_law"), scenarios / "step_steer.xml",
                      outputs=["wheel_fl.Wy", "wheel_fl.Wz", "wheel_fl.alpha", "chassis.wz"])
    car.step(700)
    side, load, alpha, yaw_rate = car.outputs
    assert yaw_rate > 0.05
    assert side == pytest.approx(-15.0 * load * np.tan(alpha), rel=1e-9)


def test_what_a_tyre_raises_ends_the_step_the_run_and_the_question(sedan_on, scenarios):
    armed = []  # the search for the start may try anything

    def worn(load, kappa, tan_alpha, *rest):
        if armed and abs(tan_alpha) > 0.03:
            raise ArithmeticError("worn down")
        return linear(load, kappa, tan_alpha, *rest)

    semirec.register_tyre("worn", worn)
    vehicle = sedan_on("worn")
    car = semirec.Car(vehicle, scenarios / "step_steer.xml")
    armed.append(True)
    with pytest.raises(ArithmeticError, match="worn down"):
        car.step(2000)
    assert 0.5 < car.time < 2.0  # straight on before
    state = car.save()
    with pytest.raises(ArithmeticError, match="worn down"):
        car.step()
    assert car.save() == state
    with pytest.raises(ArithmeticError, match="worn down"):
        semirec.run(vehicle, scenarios / "step_steer.xml", until=1.0)
    with pytest.raises(ArithmeticError, match="worn down"):
        semirec.equilibrium(vehicle, speed=20.0, lateral_acceleration=6.0)


def test_what_a_tyre_raises_in_a_sweep_comes_out_of_the_sweep_alone(sedan_on, tmp_path, models):
    """One of two threads of the sweep raises; the other waits until a third has asked something else, thrice."""
    both_are_in, raised, asked = threading.Barrier(2), threading.Event(), threading.Event()
    main, told = threading.main_thread(), []

    def torn(*state):
        if threading.current_thread() is not main and not raised.is_set():
            if both_are_in.wait(60) == 0:
                raised.set()
                raise ArithmeticError("torn")
            asked.wait(60)
        return linear(*state)

    def ask():
        raised.wait(60)
        for _ in range(3):
            try:
                semirec.equilibrium(models / "iltis.xml")
            except Exception as error:
                told.append(error)
        asked.set()

    semirec.register_tyre("torn", torn)
    vehicle = tmp_path / "torn.xml"
    vehicle.write_text(sedan_on("torn")._text.replace('"templates/', f'"{models}/templates/'))
    other = threading.Thread(target=ask)
    other.start()
    with pytest.raises(ArithmeticError, match="torn"):
        semirec.sweep(text=f'''<study name="masses" version="1" vehicle="{vehicle}">
          <vary element="chassis" attribute="mass" values="1300 1400 1500"/>
          <response command="equilibrium VEHICLE --speed 20" quantities="wheel_fl.Fz"/>
        </study>''', threads=2)
    other.join()
    assert told == []


def test_a_tyre_is_forgotten_by_none(sedan_on):
    semirec.register_tyre("gone", linear)
    semirec.register_tyre("gone", None)
    with pytest.raises(semirec.ModelError, match="gone"):
        semirec.Car(sedan_on("gone"))
    with pytest.raises(semirec.ModelError, match="name that is none"):
        semirec.register_tyre("a b", linear)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_a_tyre_that_answers_what_is_no_number_is_told(sedan_on, scenarios, wrong):
    armed = []
    semirec.register_tyre("blown", lambda load, kappa, tan_alpha, *rest: (0.0, wrong if armed else -15.0 * load * tan_alpha))
    vehicle = sedan_on("blown")
    car = semirec.Car(vehicle, scenarios / "step_steer.xml")
    armed.append(True)
    with pytest.raises(ValueError, match="tyre 'blown' answers a number that is not finite"):
        car.step()
    assert car.time == 0.0
    with pytest.raises(ValueError, match="tyre 'blown' answers a number that is not finite"):
        semirec.run(vehicle, scenarios / "step_steer.xml", until=0.1)


def test_what_cannot_be_called_is_no_tyre():
    with pytest.raises(TypeError, match="the law of tyre 'flat' is a tuple, expected a function or None"):
        semirec.register_tyre("flat", (1.0, 2.0))


def test_a_driver_is_asked_before_each_step(models, scenarios):
    """Oracle: the same inputs written by hand."""
    steering = [1e-3 * np.sin(0.01 * k) for k in range(200)]
    by_hand = semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=["time", "chassis.wz"])
    driven = by_hand.clone()
    for value in steering:
        by_hand.set_input("steering", value)
        by_hand.step()
    driven.driver = lambda car: car.set_input("steering", steering[round(car.output("time") / 1e-3)])
    table = driven.drive(0.2, every=10)
    assert driven.save() == by_hand.save() and len(table) == 21
    assert (table.rows[-1] == by_hand.outputs).all() and table["time"][0] == 0.0
    assert driven.clone().driver is None


def test_a_driver_finds_outputs_of_the_moment_also_where_none_are_read_in_the_end(models):
    car = semirec.Car(models / "sedan.xml", outputs=["time"])
    seen = []
    car.driver = lambda car: seen.append((car.output("time"), car.time))
    car.step(3, read=False)
    assert car.outputs[0] == pytest.approx(0.002, abs=1e-12) and car.time == pytest.approx(0.003, abs=1e-12)
    car.step(2)
    assert len(seen) == 5 and all(told == time for told, time in seen) and car.outputs[0] == car.time
    with pytest.raises(ValueError, match="steps is -1"):
        car.step(-1)


def test_what_a_driver_raises_comes_out_of_step(models):
    car = semirec.Car(models / "sedan.xml")

    def driver(car):
        if car.time > 0.0095:
            raise RuntimeError("asleep")

    car.driver = driver
    with pytest.raises(RuntimeError, match="asleep"):
        car.step(100)
    assert car.time == pytest.approx(0.01, abs=1e-12)


def test_a_driver_drives_a_run_as_it_drives_a_car(models, scenarios):
    """Oracle: a Car under the same driver; both take two iterations a step."""
    def driver(car):
        wanted = 0.1 if car.time > 0.0495 else 0.0
        car.set_input("steering", 0.01 + 0.5 * (wanted - car.output("chassis.wz")))

    drive = semirec.run(models / "sedan.xml", scenarios / "step_steer.xml", until=0.2, record=0.05, iterations=2, driver=driver)
    car = semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=["time", "chassis.wz", "chassis.y"])
    car.driver = driver
    table = car.drive(0.2, every=50)
    assert drive.status == "finished" and len(drive) == len(table) == 5
    for name in ("chassis.wz", "chassis.y"):
        assert (drive[name] == table[name]).all()
    assert abs(drive["chassis.wz"][-1]) > 1e-3


def test_what_a_driver_raises_comes_out_of_a_run(models, scenarios):
    def asleep(car):
        if car.time > 0.0095:
            raise RuntimeError("asleep")

    where = models / "sedan.xml", scenarios / "step_steer.xml"
    with pytest.raises(RuntimeError, match="asleep"):
        semirec.run(*where, until=0.1, driver=asleep)
    with pytest.raises(KeyError, match="no output 'chassis.speed'"):
        semirec.run(*where, until=0.1, driver=lambda car: car.output("chassis.speed"))
    with pytest.raises(KeyError, match="no input 'wheel'"):
        semirec.run(*where, until=0.1, driver=lambda car: car.set_input("wheel", 1.0))
    with pytest.raises(ValueError, match="infinite"):
        semirec.run(*where, until=0.1, driver=lambda car: car.set_input("steering", float("inf")))


def test_the_rate_of_an_input_is_measured_from_its_value_at_the_state(models, scenarios):
    """An input that follows another is held where it is, and one is set twice: a Car does so too, to the bit."""
    def driver(car):
        calls.append(car.time)
        car.set_input("steering", 2.0 * car.time)
        if car.time > 0.0495:  # the wheel turns on, and the rack no more with it
            car.set_input("rack", 0.0)
            car.set_input("rack", held[0])
        else:
            held[0] = car.output("rack.value")

    held, calls = [0.0], []
    where = models / "sedan.xml", scenarios / "step_steer.xml"
    names = ["time", "steering.value", "rack.value", "chassis.wz", "chassis.ay", "wheel_fl.Fy"]
    drive = semirec.run(*where, until=0.1, record=0.01, iterations=2, driver=driver)
    car = semirec.Car(*where, outputs=names)
    car.driver = driver
    table = car.drive(0.1, every=10)
    assert held[0] > 1e-4 and drive["rack.value"][-1] == held[0]
    assert len(calls) == 2 * 100  # once a step
    for name in names:
        assert (drive[name] == table[name]).all(), name


def test_the_car_of_a_run_is_gone_with_it(models, scenarios):
    kept = []
    semirec.run(models / "sedan.xml", scenarios / "step_steer.xml", until=0.01, driver=kept.append)
    assert all(car is kept[0] for car in kept)
    for use in (lambda car: car.time, lambda car: car.output("time"), lambda car: car.set_input("steering", 1.0)):
        with pytest.raises(RuntimeError, match="the run is over"):
            use(kept[0])


def test_the_car_of_a_run_is_not_asked_inside_of_a_step(models, scenarios):
    kept = []

    class Curious(semirec.Force):
        def force(self, *state):
            if kept:
                kept[0].output("time")
            return 0.0, 0.0, 0.0

    with pytest.raises(RuntimeError, match="is its driver's, as long as that is called"):
        semirec.run(models / "sedan.xml", scenarios / "step_steer.xml", until=0.01, forces=[Curious("curious", "chassis")],
                    driver=kept.append)
