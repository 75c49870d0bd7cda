"""Cars and batches: memory, states, threads. Oracle of most: another car that was never saved, cloned or batched."""
import copy
import os
import pickle
import signal
import threading

import numpy as np
import pytest

import semirec

CHOSEN = ["time", "chassis.wz", "chassis.x", "chassis.y"]


@pytest.fixture
def car(models, scenarios):
    return semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=CHOSEN)


def test_arrays_are_the_cars_own_memory(car):
    first, second = car.outputs, car.outputs
    assert first.__array_interface__["data"] == second.__array_interface__["data"]
    before = first.copy()
    car.step(100)
    assert first[0] == pytest.approx(0.1, abs=1e-12)  # the old view shows the new state
    assert before[0] == 0.0
    assert np.isnan(car.inputs).all() and len(car.inputs) == len(car.input_names) == len(car.input_units)


def test_the_array_outlives_the_name_of_its_car(models):
    outputs = semirec.Car(models / "sedan.xml").outputs
    assert np.isfinite(outputs).all()


def test_outputs_by_choice_are_those_of_all_to_the_bit(models, scenarios):
    whole = semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml")
    names = [*whole.output_names[::-11], "wheel_fl.Fz", "time"]
    chosen = semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=names)
    for _ in range(3):
        whole.step(250)
        chosen.step(250)
        assert [whole.output(name) for name in names] == chosen.outputs.tolist()


def test_an_input_is_reached_at_the_end_of_the_coming_step_and_released_by_nan(models, scenarios):
    car = semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=["steering.value"])
    car.step(10)
    own = car.outputs[0]  # the scenario steers later
    place = car.input_names.index("steering")
    car.inputs[place] = 0.002
    assert car.outputs[0] == own
    car.step()
    assert car.outputs[0] == 0.002
    car.step(20)
    assert car.outputs[0] == 0.002 and car.output("steering.value") == 0.002
    car.set_input("steering", np.nan)
    car.step()
    assert car.outputs[0] == own


def test_saved_states_go_on_to_the_bit(car):
    car.set_input("steering", 0.003)
    car.step(200)
    state = car.save()
    car.step(300)
    end = car.save()
    car.restore(state)
    assert car.time == pytest.approx(0.2, abs=1e-12) and car.outputs[0] == car.time
    assert car.inputs[car.input_names.index("steering")] == 0.003
    car.step(300)
    assert car.save() == end


def test_a_clone_goes_on_to_the_bit_by_itself(car):
    car.step(200)
    clone = car.clone()
    car.step(300)
    assert clone.time == pytest.approx(0.2, abs=1e-12)
    clone.step(300)
    assert clone.save() == car.save()
    assert (clone.outputs == car.outputs).all()
    assert clone.outputs.__array_interface__["data"] != car.outputs.__array_interface__["data"]


def test_copies_are_clones(car):
    car.step(100)
    for other in (copy.copy(car), copy.deepcopy(car)):
        before = car.save()
        assert other.save() == before
        other.step(5)
        assert car.save() == before


def test_steps_a_row_are_one_or_more(car):
    for every in (0, -1):
        with pytest.raises(ValueError, match=f"every is {every}, expected 1 or more"):
            car.drive(0.01, every=every)


def test_states_of_others_and_broken_ones_are_refused(car, models):
    car.step(10)
    before = car.save()
    other = semirec.Car(models / "sedan.xml").save()
    for state in (b"", before[:-1], bytes([before[0] ^ 1]) + before[1:], before[:-9] + bytes([before[-9] ^ 1]) + before[-8:],
                  other):
        with pytest.raises(ValueError, match="is not restored"):
            car.restore(state)
        assert car.save() == before


def test_infinite_inputs_are_refused_by_name_before_any_step(car):
    before = car.save()
    car.inputs[0] = np.inf
    with pytest.raises(ValueError, match=f"input '{car.input_names[0]}' is infinite"):
        car.step(5)
    assert car.save() == before
    car.inputs[0] = np.nan
    car.step()


def test_outputs_are_those_of_the_state_where_a_step_failed(car):
    """Oracle: the same steps one by one. The wheel is turned so far at once that one of the next fails."""
    slowly = car.clone()
    car.set_input("steering", 8.0)
    slowly.set_input("steering", 8.0)
    with pytest.raises(semirec.StepError) as failed:
        car.step(3000)
    with pytest.raises(semirec.StepError):
        for _ in range(3000):
            slowly.step()
    assert car.time == failed.value.time > 0.0
    assert car.outputs[0] == car.time and (car.outputs == slowly.outputs).all()
    assert not car.report.settled


def test_outputs_are_those_of_the_state_where_the_first_step_failed(car):
    """Oracle: the same car whose outputs were read after each step."""
    car.set_input("steering", 8.0)
    read = car.clone()
    with pytest.raises(semirec.StepError):
        for _ in range(3000):
            read.step()
            car.step(read=False)
    with pytest.raises(semirec.StepError):
        car.step()
    assert car.outputs[0] == car.time == read.time and (car.outputs == read.outputs).all()


def test_a_drive_takes_the_time_that_is_asked_for(car):
    """Rows every ten steps of 1 ms, and one at the end."""
    table = car.drive(0.055, every=10)
    assert table["time"] == pytest.approx([0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.055])
    assert car.drive(0.004, every=10)["time"] == pytest.approx([0.055, 0.059])


def test_outputs_are_those_of_the_state_where_ctrl_c_ended_the_steps(car):
    pressed = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        car.step(100_000_000)
    assert car.outputs[0] == car.time > 0.0


@pytest.mark.parametrize("side_by_side", [False, True])
def test_ctrl_c_ends_the_steps_of_a_batch(car, side_by_side):
    """A step of a car takes some 10 us at least: all of them hours."""
    batch = semirec.Batch(car, 5, side_by_side=side_by_side)
    calls = [lambda: batch.step(1_000_000_000),
             lambda: batch.rollout(np.full((1_000_000, len(car.input_names)), np.nan), every=20),
             lambda: batch.rollout(np.full((2, len(car.input_names)), np.nan), every=1_000_000_000)]
    for call in calls:
        before = batch.times.copy()
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            call()
        assert (batch.times > before).all() and (batch.times == batch.times[0]).all()
        assert (batch.outputs[:, 0] == batch.times).all()
        assert batch.status == [""] * 5


@pytest.mark.parametrize("side_by_side", [False, True])
def test_steps_of_a_batch_do_not_hang_on_how_many_are_taken_at_once(car, side_by_side):
    """12 000 steps are taken in parts, between which signals are asked for; oracle: a hundred calls, and a car by itself."""
    car.set_input("steering", 0.3)
    whole, parts = (semirec.Batch(car, 2, threads=1, side_by_side=side_by_side) for _ in range(2))
    whole.step(12_000)
    for _ in range(100):
        parts.step(120)
    row = np.full((1, len(car.input_names)), np.nan)
    row[0, car.input_names.index("steering")] = 0.3
    rolled = semirec.Batch(car, 2, threads=1, side_by_side=side_by_side).rollout(row, every=12_000)
    assert (whole.outputs == parts.outputs).all() and (rolled[:, 0] == whole.outputs).all()
    if not side_by_side:
        car.step(12_000)
        assert (whole.outputs == car.outputs).all()


def test_a_report_says_whether_a_step_has_settled(models, scenarios):
    where = models / "sedan.xml", scenarios / "step_steer.xml"
    car = semirec.Car(*where, step=1e-3, iterations=3, outputs=["time"])
    car.step(10)
    assert car.report.iterations == 3 and car.report.settled
    assert car.report.correction < 1e-6 and car.report.closure_error < 1e-6
    hasty = semirec.Car(*where, step=1e-2, iterations=1, outputs=["time"])
    hasty.set_input("steering", 2.0)
    hasty.step()
    assert hasty.report.iterations == 1 and not hasty.report.settled
    assert max(hasty.report.correction, hasty.report.closure_error) > 1e-6
    assert car.unsettled_steps == 0 and hasty.unsettled_steps == 1
    many = semirec.Batch([hasty, hasty], side_by_side=True)
    assert many.unsettled_steps.tolist() == [0, 0]
    many.inputs[:, 0] = [0.0, 3.0]
    many.step(20)
    hasty.restore(hasty.save())
    hasty.inputs[0] = 3.0
    unsettled = 0
    for _ in range(20):
        hasty.step()
        unsettled += not hasty.report.settled
    assert unsettled > 0 and hasty.unsettled_steps == unsettled == many.unsettled_steps[1]
    batch = semirec.Batch(car, 3)
    batch.inputs[2, batch.input_names.index("steering")] = 1e300
    batch.step()
    assert batch.settled.tolist() == [True, True, False] and batch.settled.dtype == bool


def test_errors_come_out_of_other_processes_as_they_are(car, tmp_path):
    """multiprocessing pickles them."""
    car.step(10)
    car.set_input("steering", 1e30)
    with pytest.raises(semirec.StepError, match="at t = 0.01 s") as failed:
        car.step()
    with pytest.raises(semirec.ModelError) as wrong:
        semirec.Car(tmp_path / "nowhere.xml")
    for told in (failed.value, wrong.value):
        again = pickle.loads(pickle.dumps(told))
        assert type(again) is type(told) and str(again) == str(told) and vars(again) == vars(told)


def test_wrong_files_and_names_are_told_with_their_place(models, quarter_car, tmp_path):
    text = quarter_car.read_text()
    broken = tmp_path / "broken.xml"
    broken.write_text(text.replace("<body ", "<bodi ", 1))
    with pytest.raises(semirec.ModelError) as told:
        semirec.Car(broken)
    assert told.value.file == str(broken) and told.value.element and told.value.line == 1 + text[:text.index("<body ")].count("\n")
    assert isinstance(told.value, ValueError)
    with pytest.raises(semirec.ModelError, match="there is no output 'chassis.wx_', nearest known name is 'chassis.wx'"):
        semirec.Car(models / "sedan.xml", outputs=["chassis.wx_"])
    with pytest.raises(semirec.ModelError, match="nowhere.xml"):
        semirec.Car(tmp_path / "nowhere.xml")
    with pytest.raises(semirec.ModelError, match="iterations is -1"):
        semirec.Car(models / "sedan.xml", iterations=-1)
    with pytest.raises(ValueError, match="steps is -1"):
        semirec.Car(models / "sedan.xml").step(-1)
    with pytest.raises(KeyError, match="no input 'stering'"):
        semirec.Car(models / "sedan.xml").set_input("stering", 0.0)


def test_overrides_change_the_car(quarter_car):
    masses = [semirec.Car(quarter_car, overrides=o) for o in (None, {"chassis.mass": 300}, ["chassis.mass=300"])]
    for car in masses:
        car.step(50)
    assert masses[1].save() == masses[2].save()
    assert (masses[0].outputs != masses[1].outputs).any()


def test_a_batch_of_64_equals_64_single_cars_to_the_bit(car):
    controls = np.random.default_rng(1).normal(0.0, 0.01, (64, 30, len(car.inputs)))
    place = car.input_names.index("steering")
    only_steering = np.full_like(controls, np.nan)
    only_steering[:, :, place] = controls[:, :, place]
    out = semirec.Batch(car, 64).rollout(only_steering, every=5)
    assert out.shape == (64, 30, len(CHOSEN))
    one_thread = semirec.Batch(car, 64, threads=1).rollout(only_steering, every=5)
    assert (out == one_thread).all()
    chosen = semirec.Batch(car, 64).rollout(only_steering, every=5, outputs=["chassis.y", "time"])
    assert (chosen == out[:, :, [CHOSEN.index("chassis.y"), CHOSEN.index("time")]]).all()
    with pytest.raises(KeyError, match="no output 'nose'"):
        semirec.Batch(car, 2).rollout(only_steering[0], outputs=["nose"])
    for k in range(64):
        single = car.clone()
        for row in range(30):
            single.inputs[:] = only_steering[k, row]
            single.step(5)
            assert (single.outputs == out[k, row]).all(), (k, row)


def test_a_batch_of_other_numbers_and_partial_reset(models, scenarios):
    cars = [semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=CHOSEN, overrides={"chassis.mass": m})
            for m in (1300, 1400)]
    batch = semirec.Batch(cars)
    start = batch.outputs.copy()
    batch.step(700)
    for row, single in zip(batch.outputs, cars):
        single.step(700)
        assert (row == single.outputs).all()
    end = batch.outputs.copy()
    batch.reset([1])
    assert (batch.outputs[0] == end[0]).all() and (batch.outputs[1] == start[1]).all()
    assert batch.times[1] == 0.0 and batch.times[0] == pytest.approx(0.7, abs=1e-12)
    batch.reset()
    batch.step(700)
    assert (batch.outputs == end).all()


def test_inputs_that_were_written_belong_to_the_state(models, scenarios):
    car = semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=["chassis.wz"])
    steering = car.input_names.index("steering")
    car.inputs[steering] = 0.1
    state = car.save()
    batch = semirec.Batch([car, car])
    beside = semirec.Batch([car, car], side_by_side=True)
    car.step(100)
    expected = car.outputs.copy()
    assert abs(expected[0]) > 0.01
    car.restore(state)
    assert car.inputs[steering] == 0.1
    car.step(100)
    assert (car.outputs == expected).all()
    for several in (batch, beside):
        several.step(100)
        first = several.outputs.copy()
        several.reset()
        assert (several.inputs[:, steering] == 0.1).all()
        several.step(100)
        assert (several.outputs == first).all()
    assert (batch.outputs == expected).all()


def test_a_mask_resets_the_cars_that_it_marks(models, scenarios):
    car = semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=["time"])
    batch = semirec.Batch([car] * 4)
    batch.step(10)
    batch.reset(np.array([False, False, True, False]))
    assert (batch.times > 0).tolist() == [True, True, False, True]
    with pytest.raises(ValueError, match=r"a mask of shape \(2,\), expected \(4,\)"):
        batch.reset([True, False])
    with pytest.raises(TypeError):
        batch.reset([1.7])
    assert (batch.times > 0).tolist() == [True, True, False, True]


def test_a_batch_of_another_number_of_cars_or_threads_is_refused(car):
    with pytest.raises(ValueError, match="n is 8 and the list has 1 cars"):
        semirec.Batch([car], 8)
    with pytest.raises(ValueError, match="threads is -3"):
        semirec.Batch(car, 2, threads=-3)


def test_an_input_that_the_vehicle_computes_is_refused_before_a_step(models, scenarios):
    batch = semirec.Batch(semirec.Car(models / "sedan_abs_esc.xml", scenarios / "step_steer.xml", outputs=["time"]), 2)
    with pytest.raises(ValueError, match="is computed by the vehicle's equations, expected nan"):
        batch.rollout(np.zeros((3, len(batch.input_names))))
    assert batch.status == ["", ""] and (batch.times == 0).all()


CRANK = """<mechanism name="crank" version="1"><parameter name="mode" value="{mode}"/>
<body name="crank" mass="1" com="0 0 0" inertia="2 2 2"/>
<joint name="A" type="revolute" a="ground" b="crank" point="0 0 0" axis="0 1 0" velocity="3"/>
<input name="tau" when="mode = free"/><variable name="tau" when="mode = law" unit="N m" value="= -2*A.rate"/>
<torque name="drive" body="crank" direction="0 1 0" input="tau"/></mechanism>"""


def test_each_car_of_a_batch_has_inputs_of_its_own_kind(scenarios, tmp_path):
    """The torque of one crank is free, that of the other follows from its rate."""
    cars = []
    for mode in ("free", "law"):
        (tmp_path / f"{mode}.xml").write_text(CRANK.format(mode=mode))
        cars.append(semirec.Car(tmp_path / f"{mode}.xml", scenarios / "let_go.xml", outputs=["A.z"]))
    for free, batch in ((0, semirec.Batch(cars)), (1, semirec.Batch(cars[::-1]))):
        batch.inputs[free, 0] = 1.0
        batch.step(2)
        assert batch.status == ["", ""]
        batch.inputs[1 - free, 0] = 1.0
        told = f"the input 'tau' of car {1 - free} is computed by the vehicle's equations, expected nan"
        with pytest.raises(ValueError, match=told):
            batch.step()
        with pytest.raises(ValueError, match=told):
            batch.rollout(np.ones((3, 1)))


@pytest.mark.parametrize("beside", [False, True])
def test_infinite_inputs_of_a_batch_are_refused_before_a_step(car, beside):
    batch = semirec.Batch(car, 2, side_by_side=beside)
    place = batch.input_names.index("steering")
    batch.inputs[1, place] = -np.inf
    controls = np.full((3, len(batch.input_names)), np.nan)
    controls[2, place] = np.inf
    for ask in (batch.step, lambda: batch.rollout(controls)):
        with pytest.raises(ValueError, match="input 'steering' of car [01] is infinite"):
            ask()
        assert batch.status == ["", ""] and (batch.times == 0).all()
    batch.inputs[1, place] = np.nan
    batch.step()
    assert batch.status == ["", ""]


def test_a_car_that_fails_stands_still_beside_the_others_until_reset(car):
    batch = semirec.Batch(car, 2)
    batch.inputs[1, batch.input_names.index("steering")] = 1e300
    batch.step(3)
    assert batch.status[0] == "" and batch.status[1] != ""
    assert np.isfinite(batch.outputs[0]).all() and np.isnan(batch.outputs[1]).all()
    batch.reset([1])
    batch.step(1)
    assert batch.status[1] == "" and np.isfinite(batch.outputs[1]).all()


def test_cars_side_by_side_are_those_by_themselves_up_to_round_off(models, scenarios):
    cars = [semirec.Car(models / "sedan.xml", scenarios / "step_steer.xml", outputs=CHOSEN, overrides={"chassis.mass": m})
            for m in np.linspace(1200, 1500, 11)]
    alone = semirec.Batch(cars)
    beside = semirec.Batch(cars, side_by_side=True)
    steering = alone.input_names.index("steering")
    controls = np.full((11, 40, len(alone.input_names)), np.nan)
    controls[:, :, steering] = 0.5 * np.sin(np.linspace(0, 6, 40)) * np.linspace(0.1, 1, 11)[:, None]
    one = alone.rollout(controls, every=10)
    other = beside.rollout(controls, every=10)
    size = np.abs(one).max(axis=(0, 1))
    assert (np.abs(other - one).max(axis=(0, 1)) <= 1e-9 * size).all()
    assert (beside.times == alone.times).all()
    # to the bit with any threads, and after a reset of some beside others that go on
    assert (semirec.Batch(cars, side_by_side=True, threads=1).rollout(controls, every=10) == other).all()
    beside.reset([2, 9])
    beside.step(10)
    beside.reset()
    assert (beside.rollout(controls, every=10) == other).all()
    # another step where steps came one by one
    one_by_one = semirec.Batch(cars, side_by_side=True)
    one_by_one.inputs[:, steering] = 0.1
    at_once = semirec.Batch(cars, side_by_side=True)
    at_once.inputs[:, steering] = 0.1
    for _ in range(20):
        one_by_one.step()
    at_once.step(20)
    assert (one_by_one.outputs == at_once.outputs).all()


def test_a_car_that_fails_side_by_side_stands_still_until_reset(car):
    batch = semirec.Batch(car, 3, side_by_side=True)
    other = semirec.Batch(car, 3, side_by_side=True)
    batch.inputs[1, batch.input_names.index("steering")] = 1e300
    batch.step(3)
    other.step(3)
    assert batch.status[1] != "" and batch.times[1] == 0.0
    for k in (0, 2):
        assert batch.status[k] == "" and (batch.outputs[k] == other.outputs[k]).all()
    assert np.isnan(batch.outputs[1]).all()
    batch.reset([1])
    batch.step(1)
    assert batch.status[1] == "" and np.isfinite(batch.outputs[1]).all()


def test_cars_that_do_not_go_side_by_side_are_refused_by_name(car, models, scenarios, tmp_path):
    scenario = tmp_path / "hht.xml"
    text = (scenarios / "step_steer.xml").read_text()
    assert "<run " in text
    scenario.write_text(text.replace("<run ", '<run scheme="hht" alpha="-0.1" ', 1))
    scheme = semirec.Car(models / "sedan.xml", scenario, outputs=CHOSEN)
    with pytest.raises(semirec.ModelError, match="car 0 cannot go side by side: a scheme that remembers"):
        semirec.Batch(scheme, 2, side_by_side=True)
    with pytest.raises(semirec.ModelError, match="car 1 cannot go side by side"):
        semirec.Batch([car, scheme], side_by_side=True)


def test_batches_refuse_what_does_not_fit(car, models, quarter_car):
    with pytest.raises(semirec.ModelError, match="there is no car"):
        semirec.Batch([])
    with pytest.raises(semirec.ModelError, match="car 1 has other inputs"):
        semirec.Batch([car, semirec.Car(quarter_car, outputs=["time"])])
    with pytest.raises(semirec.ModelError, match="car 1 has other outputs"):
        semirec.Batch([car, semirec.Car(models / "sedan.xml")])
    batch = semirec.Batch(car, 2)
    for shape in ((3,), (4, 3), (3, 4, len(car.inputs)), (2, 4, 1, len(car.inputs))):
        with pytest.raises(ValueError, match="expected"):
            batch.rollout(np.zeros(shape))
    with pytest.raises(ValueError, match="every is 0"):
        batch.rollout(np.zeros((1, len(car.inputs))), every=0)
    with pytest.raises(IndexError):
        batch.reset([2])


def test_another_thread_runs_while_a_car_steps(car):
    """The lock is given back: a thread that only counts gets on during one long call."""
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    batch = semirec.Batch(car, 2, threads=1)
    batch.step(20000)  # one call, never asks Python for anything
    during = counted[0] - before
    stop.set()
    thread.join()
    assert during > 1000


def refused_beside(steps, uses):
    """What `uses` raise while another thread takes long steps, each once."""
    done, refused = threading.Event(), []

    def step():
        steps()
        done.set()

    thread = threading.Thread(target=step)
    thread.start()
    while not done.is_set() and not refused:
        for use in uses:
            try:
                use()
            except RuntimeError as error:
                refused.append(str(error))
    thread.join()
    return refused


def test_a_batch_refuses_a_second_thread_while_it_steps(car):
    batch = semirec.Batch(car, 2, threads=1)
    refused = refused_beside(lambda: batch.step(200000),
                             (lambda: batch.step(0), lambda: batch.reset([0]),
                              lambda: batch.rollout(np.full((1, len(car.inputs)), np.nan))))
    assert len(refused) == 3 and all("another thread" in line for line in refused)
    batch.step(1)


def test_a_car_refuses_a_second_thread_while_it_steps(car):
    start = car.save()
    refused = refused_beside(lambda: car.step(200000),
                             (lambda: car.step(0), car.save, car.clone, lambda: car.restore(start),
                              lambda: semirec.Batch(car, 1)))
    assert len(refused) == 5 and all("another thread" in line for line in refused)
    car.restore(start)
    car.step(1)


def test_copies_of_files_have_changes_of_their_own(models, scenarios):
    for file, path, value in ((semirec.Vehicle(models / "sedan.xml"), "chassis.mass", 1400.0),
                              (semirec.Scenario(scenarios / "rest.xml"), "run.step", 2e-3)):
        other = copy.copy(file).set(path, value)
        assert repr(other) != repr(file)


def test_a_batch_is_not_copied_and_takes_real_numbers_alone(car):
    """What a copy shared would step the batch that it was made of."""
    batch = semirec.Batch(car, 2)
    for copied in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be copied"):
            copied(batch)
    controls = np.full((2, len(car.input_names)), np.nan)
    with pytest.raises(TypeError, match="controls are complex"):
        batch.rollout(controls.astype(complex))
    with pytest.raises(TypeError, match="outputs is the text 'time'"):
        batch.rollout(controls, outputs="time")


@pytest.mark.parametrize("side_by_side", [False, True])
def test_an_input_that_changes_too_fast_is_told_before_any_step(car, side_by_side):
    """1e308 is a number, its difference over a millisecond is none."""
    batch = semirec.Batch(car, 2, side_by_side=side_by_side)
    steering = car.input_names.index("steering")
    batch.inputs[1, steering] = 1e308
    with pytest.raises(ValueError, match="input 'steering' of car 1 is infinite, or changes too fast"):
        batch.step()
    assert (batch.times == 0.0).all() and batch.status == ["", ""]
    batch.inputs[1, steering] = 0.1
    batch.step()
    assert batch.status == ["", ""]
