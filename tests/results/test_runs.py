"""`semirec run --format`: one run in every format, names that its car brings, kills, Ctrl-C, full disks, refusals."""
import csv
import json
import math
import os
import pathlib
import random
import resource
import signal
import subprocess
import time

import h5py
import numpy
import pytest

from mcap_reader import Mcap
from mf4_reader import Mf4

PROGRAM = os.environ["SEMIREC_PROGRAM"]
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
STEER = ["vehicles/models/sedan.xml", "vehicles/scenarios/step_steer.xml"]
BARS = ["vehicles/models/double_four_bar.xml", "vehicles/scenarios/free_10s.xml"]
ALL = "csv,hdf5,mf4,mcap"
FILES = ["results.csv", "results.h5", "results.mf4", "results.mcap"]


def run(arguments, out, *options, **more):
    return subprocess.run([PROGRAM, "run", *arguments, "--out", str(out), *options], cwd=SOURCE, capture_output=True, text=True,
                          **more)


def from_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        names, units, *rows = list(csv.reader(file))
    return names, units, rows


def from_hdf5(path):
    with h5py.File(path, "r") as file:
        rows = len(file["time"])
        return {data.attrs.get("name", name): data[:rows] for name, data in file.items()}


def bits(numbers):
    return numpy.ascontiguousarray(numbers).view(numpy.uint64)


def check_alike(folder, name="results"):
    """All four files hold the same numbers; those of CSV have 12 digits."""
    names, units, rows = from_csv(folder / f"{name}.csv")
    mf4 = Mf4(folder / f"{name}.mf4")
    assert [channel.name for channel in mf4.channels] == names
    assert [channel.unit for channel in mf4.channels] == units
    assert [["%.12g" % number for number in row] for row in mf4.rows] == rows
    hdf5 = from_hdf5(folder / f"{name}.h5")
    assert sorted(hdf5) == sorted(names)
    mcap = Mcap(folder / f"{name}.mcap").columns()
    assert sorted(mcap) == sorted(names)
    for k, name in enumerate(names):
        assert (bits(hdf5[name]) == bits(mf4.rows[:, k])).all(), name
        assert (bits(numpy.array(mcap[name], dtype=float)) == bits(mf4.rows[:, k])).all(), name
    return mf4


def test_a_run_is_the_same_in_every_format(tmp_path):
    done = run(STEER, tmp_path / "all", "--until", "0.3", "--format", ALL)
    assert done.returncode == 0, done.stderr
    assert all(f"all/{name}" in done.stdout for name in FILES)
    mf4 = check_alike(tmp_path / "all")
    assert len(mf4.rows) > 20 and mf4.finalised and mf4.title == "sedan in step_steer"
    plain = run(STEER, tmp_path / "plain", "--until", "0.3")
    assert plain.returncode == 0
    assert (tmp_path / "plain/results.csv").read_bytes() == (tmp_path / "all/results.csv").read_bytes()
    assert sorted(path.name for path in (tmp_path / "plain").iterdir()) == ["results.csv", "summary.json"]


def test_the_history_of_a_manoeuvre_is_the_same_in_every_format(tmp_path):
    steer = [PROGRAM, "manoeuvre", "step_steer", STEER[0], "--quick", "--with", "hold=0.5", "--out"]
    out = tmp_path / "out"
    done = subprocess.run([*steer, str(out), "--format", ALL], cwd=SOURCE, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(check_alike(out, "history").rows) > 100
    # in the axes that results.md names, not in those of the world
    with h5py.File(out / "history.h5") as file:
        assert file["car.ay"].attrs["description"] == "car: acceleration to the left of the heading, horizontal"
        assert file["driver.steering_wheel_torque"].attrs["description"] == "driver: torque on the steering wheel, positive to the left"
    # another format takes the place of those that are there, tables that are not over time stay CSV
    assert subprocess.run([*steer, str(out), "--format", "hdf5", "--overwrite"], cwd=SOURCE).returncode == 0
    assert sorted(path.name for path in out.iterdir()) == ["answer.json", "history.h5", "picture.svg"]
    assert subprocess.run([*steer, str(out), "--format", "csv", "--overwrite"], cwd=SOURCE).returncode == 0
    assert sorted(path.name for path in out.iterdir()) == ["answer.json", "history.csv", "picture.svg"]
    wrong = subprocess.run([*steer, str(tmp_path / "no"), "--format", "xls"], cwd=SOURCE, capture_output=True, text=True)
    assert wrong.returncode == 3 and "expected csv, hdf5, mf4 or mcap" in wrong.stderr
    assert not (tmp_path / "no").exists()


def test_words_and_units_come_along(tmp_path):
    run(STEER, tmp_path / "out", "--until", "0.01", "--format", "hdf5,mf4")
    with h5py.File(tmp_path / "out/results.h5", "r") as file:
        assert file["chassis.ay"].attrs["units"] == "m/s^2"
        words = file["chassis.ay"].attrs["description"]
        assert words.startswith("chassis: ") and file.attrs["title"] == "sedan in step_steer"
    channels = {channel.name: channel for channel in Mf4(tmp_path / "out/results.mf4").channels}
    assert (channels["chassis.ay"].unit, channels["chassis.ay"].comment) == ("m/s^2", words)


def test_a_body_is_never_the_fixed_frame(tmp_path):
    car = tmp_path / "world.xml"
    car.write_text(
        '<mechanism name="w" version="1" gravity="0 0 0"><body name="world" mass="1" com="0 0 0" inertia="3 2 1" rotation="0.3 0.2 0.5"/>'
        '<joint name="flight" type="free" a="ground" b="world" velocity="0 0 0 2 0.5 0.3"/></mechanism>'
    )
    scenario = "vehicles/scenarios/let_go.xml"
    assert run([str(car), scenario], tmp_path / "out", "--until", "0.01", "--format", "mcap").returncode == 0
    file = Mcap(tmp_path / "out/results.mcap")
    frames = {(body["parent_frame_id"], body["child_frame_id"]) for topic, _, message in file.messages if topic == "/tf" for body in message["transforms"]}
    assert frames == {("world", "world#2")}
    # as it is drawn nothing is turned, whatever axes the inertia is written in
    first = next(message["transforms"][0]["rotation"] for topic, _, message in file.messages if topic == "/tf")
    assert abs(first["w"]) > 1 - 1e-12


def test_the_yaw_rate_of_the_summary_is_that_of_the_heading(tmp_path):
    assert run(STEER, tmp_path / "out").returncode == 0
    yaw_rate = json.loads((tmp_path / "out/summary.json").read_text())["handling"]["yaw_rate"]
    names, _, rows = from_csv(tmp_path / "out/results.csv")
    time, yaw, wz = (numpy.array([float(row[names.index(name)]) for row in rows]) for name in ("time", "chassis.yaw", "chassis.wz"))
    # a parabola through the last three headings; the turn is steady by then
    slope = numpy.polyfit(time[-3:] - time[-1], yaw[-3:], 2)[1]
    assert abs(yaw_rate["last"] - slope) < 1e-6 < abs(wz[-1] - slope)


def test_transforms_turn_the_chassis_as_its_angles_say(tmp_path):
    assert run(STEER, tmp_path / "out", "--until", "1.2", "--format", "mcap").returncode == 0
    file = Mcap(tmp_path / "out/results.mcap")
    columns = file.columns()
    assert dict(file.schemas.values())["foxglove.FrameTransforms"]["type"] == "object"
    transforms = [(stamp, message["transforms"]) for topic, stamp, message in file.messages if topic == "/tf"]
    assert len(transforms) == len(columns["time"])
    largest = 0.0
    for k, (stamp, bodies) in enumerate(transforms):
        assert stamp == round(1e9 * columns["time"][k])
        chassis = {body["child_frame_id"]: body for body in bodies}["chassis"]
        assert chassis["parent_frame_id"] == "world"
        assert chassis["timestamp"]["sec"] * 10**9 + chassis["timestamp"]["nsec"] == stamp
        x, y, z, w = (chassis["rotation"][c] for c in "xyzw")
        roll, pitch, yaw = (columns[f"chassis.{angle}"][k] for angle in ("roll", "pitch", "yaw"))
        # the first column and the lower right of Rz(yaw) Ry(pitch) Rx(roll), results.md; 1e-12: round-off of a few products
        assert abs(1 - 2 * (y * y + z * z) - math.cos(yaw) * math.cos(pitch)) < 1e-12
        assert abs(2 * (x * y + z * w) - math.sin(yaw) * math.cos(pitch)) < 1e-12
        assert abs(2 * (x * z - y * w) + math.sin(pitch)) < 1e-12
        assert abs(2 * (y * z + x * w) - math.cos(pitch) * math.sin(roll)) < 1e-12
        largest = max(largest, abs(roll))
    assert largest > 1e-4


def test_the_road_goes_along(tmp_path):
    run(["vehicles/models/iltis.xml", "vehicles/scenarios/ramp_and_stairs.xml"], tmp_path / "out", "--format", "mcap")
    file = Mcap(tmp_path / "out/results.mcap")
    columns = file.columns()
    pieces = [(stamp, message["entities"]) for topic, stamp, message in file.messages if topic == "/road"]
    assert len({entity["id"] for _, entities in pieces for entity in entities}) == len(pieces) > 3
    points = []
    for _, entities in pieces:
        (entity,) = entities
        (triangles,) = entity["triangles"]
        corners = numpy.array([[point[axis] for axis in "xyz"] for point in triangles["points"]])
        corners = corners[numpy.array(triangles["indices"])].reshape(-1, 3, 3)
        # counter-clockwise from above
        a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        assert (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 0).all()
        points.append(corners.reshape(-1, 3))
    points = numpy.concatenate(points)
    # the chassis is above it all the way; the stairs are as high as the tyres found them
    assert points[:, 0].min() < min(columns["chassis.x"]) and points[:, 0].max() > max(columns["chassis.x"])
    highest = max(max(columns[f"wheel_{corner}.road"]) for corner in ("fl", "fr", "rl", "rr"))
    assert abs(points[:, 2].max() - highest) < 0.005  # 2 mm by which a mesh may be off, and steps of 1 cm


def test_the_longest_names_of_a_car_come_along(tmp_path):
    # letters, digits, underscores, hyphens and points are all that a file may have in a name
    name = "Left-hand.part_2." * 300
    (tmp_path / "car.xml").write_text(
        '<?xml version="1.0"?>\n<vehicle name="swing" version="1">\n<body name="ball" mass="2" com="0 0 0" inertia="1 1 1"/>\n'
        f'<joint name="{name}" type="spherical" a="ground" b="ball" point="0 0 1"/>\n</vehicle>\n')
    (tmp_path / "scenario.xml").write_text('<?xml version="1.0"?>\n<scenario name="s" version="1">\n'
                                           '<run step="0.001" until="0.05"/></scenario>\n')
    done = run([str(tmp_path / "car.xml"), str(tmp_path / "scenario.xml")], tmp_path / "out", "--format", ALL)
    assert done.returncode == 0, done.stderr
    assert len(check_alike(tmp_path / "out").rows) == 51
    assert name + ".z[2]" in from_hdf5(tmp_path / "out/results.h5")


def test_a_drive_without_a_page_has_them_too(tmp_path):
    call = [PROGRAM, "drive", *STEER, "--headless", "--duration", "0.2", "--out"]
    done = subprocess.run([*call, str(tmp_path / "all"), "--format", ALL], cwd=SOURCE, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(check_alike(tmp_path / "all").rows) == 201
    assert subprocess.run([*call, str(tmp_path / "plain")], cwd=SOURCE, capture_output=True).returncode == 0
    assert (tmp_path / "plain/results.csv").read_bytes() == (tmp_path / "all/results.csv").read_bytes()
    # the chassis is where its column says
    mcap = Mcap(tmp_path / "all/results.mcap")
    bodies = [{body["child_frame_id"]: body for body in message["transforms"]} for topic, _, message in mcap.messages if topic == "/tf"]
    columns = mcap.columns()
    places = numpy.array([[body["chassis"]["translation"][axis] for axis in "xyz"] for body in bodies])
    centres = numpy.array([columns[f"chassis.{axis}"] for axis in "xyz"]).T
    assert len(places) == 201 and places[-1, 0] - places[0, 0] > 1
    assert abs(places - centres).max() < 1e-9  # round-off of metres


def test_a_drive_without_a_page_keeps_a_run_unless_asked_and_leaves_nothing_of_it(tmp_path):
    out = tmp_path / "out"
    assert run(BARS, out, "--until", "0.05").returncode == 0
    (out / "results.csv").unlink()
    drive = [PROGRAM, "drive", *STEER, "--headless", "--duration", "0.05", "--out", str(out)]
    kept = subprocess.run(drive, cwd=SOURCE, capture_output=True, text=True)
    assert kept.returncode == 3 and "already holds summary.json" in kept.stderr
    assert subprocess.run([*drive, "--overwrite"], cwd=SOURCE, capture_output=True).returncode == 0
    assert sorted(path.name for path in out.iterdir()) == ["results.csv"]


def test_a_run_that_takes_the_place_of_another_has_no_summary_of_it(tmp_path):
    out = tmp_path / "out"
    assert run(BARS, out, "--until", "0.05").returncode == 0
    before = (out / "results.csv").stat().st_ino
    with subprocess.Popen([PROGRAM, "run", *BARS, "--until", "1e5", "--out", str(out), "--overwrite"], cwd=SOURCE,
                          stdout=subprocess.DEVNULL) as car:
        while car.poll() is None and (out / "results.csv").stat().st_ino == before:
            time.sleep(0.005)
        car.kill()
    assert [path.name for path in out.iterdir()] == ["results.csv"]


BUMP = """<?xml version="1.0"?>
<scenario name="bump" version="1"><run step="0.001" until="1.5" record="{record}" error_tolerance="1e-5"/>
<start from="equilibrium" speed="15"/><contact contact="point"/>
<road><cosine_bump start="10" length="5" height="0.1"/></road>
<input name="gear"><constant value="1"/></input>
<input name="steering"><ramp from="0" to="2" start="0.3" end="0.8"/></input></scenario>
"""


def test_peaks_are_those_of_all_steps_whatever_the_rows(tmp_path):
    seen = {}
    for record in (0, 1):
        (tmp_path / "bump.xml").write_text(BUMP.format(record=record))
        out = tmp_path / str(record)
        assert run([STEER[0], str(tmp_path / "bump.xml")], out).returncode == 0
        seen[record] = json.loads((out / "summary.json").read_text())
    names, _, rows = from_csv(tmp_path / "0/results.csv")
    table = dict(zip(names, numpy.array(rows, dtype=float).T))
    assert len(rows) > 200 and len(from_csv(tmp_path / "1/results.csv")[2]) == 3
    # the largest of the rows of the run that has one for each step; 1e-11: CSV has 12 digits
    for name in ("chassis.az", "chassis.roll", "wheel_fl.Fz"):
        k = abs(table[name]).argmax()
        for summary in seen.values():
            assert abs(summary["peaks"][name]["value"] / table[name][k] - 1) < 1e-11
            assert abs(summary["peaks"][name]["time"] - table["time"][k]) < 1e-9
    # of the heading, from the angular velocity about the chassis' own axes; 1e-10: three of 12 digits
    roll, pitch, wy, wz = (table[f"chassis.{name}"] for name in ("roll", "pitch", "wy", "wz"))
    heading_rate = (wy * numpy.sin(roll) + wz * numpy.cos(roll)) / numpy.cos(pitch)
    k = abs(heading_rate).argmax()
    for summary in seen.values():
        assert abs(summary["handling"]["yaw_rate"]["peak"] / heading_rate[k] - 1) < 1e-10
    clamped = {wheel: (table[f"{wheel}.clamped"] != 0).sum() for wheel in ("wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr")}
    for summary in seen.values():
        assert {wheel: entry["steps"] for wheel, entry in summary.get("clamped", {}).items()} == {
            wheel: count for wheel, count in clamped.items() if count}


def test_rows_at_no_multiple_of_the_step_are_told(tmp_path):
    for record, told in (("0.0025", True), ("0.003", False), ("0.01", False)):
        (tmp_path / "s.xml").write_text('<?xml version="1.0"?>\n<scenario name="s" version="1">\n'
                                        f'<run step="0.001" until="0.03" record="{record}"/></scenario>\n')
        done = run([BARS[0], str(tmp_path / "s.xml")], tmp_path / record)
        assert done.returncode == 0 and ("no multiple of the step" in done.stderr) == told, done.stderr
    # at or behind 0, 2.5, 5, 7.5, 10 ms
    times = [float(row[0]) for row in from_csv(tmp_path / "0.0025/results.csv")[2]]
    assert numpy.allclose(times[:5], [0, 0.003, 0.005, 0.008, 0.010], atol=1e-9)


TWINS = """<?xml version="1.0"?>
<vehicle name="twins" version="1">
<body name="frame" chassis="yes" mass="2" com="0 0 0" inertia="3 2 1"/>
<body name="arm" mass="1" com="1 0 0" inertia="0.3 0.2 0.1"/>
<joint name="rail" type="free" a="ground" b="frame"/>
<joint name="arm_pin" type="revolute" a="frame" b="arm" point="0 0 0" axis="0 1 0"/>
<marker name="chassis" body="arm" point="2 0 1"/>
</vehicle>
"""


def test_two_elements_of_one_name_have_columns_of_two(tmp_path):
    (tmp_path / "car.xml").write_text(TWINS)
    (tmp_path / "s.xml").write_text('<?xml version="1.0"?>\n<scenario name="s" version="1">\n<run step="0.001" until="0.01"/>\n'
                                    '<output><marker name="chassis"/></output></scenario>\n')
    assert run([str(tmp_path / "car.xml"), str(tmp_path / "s.xml")], tmp_path / "out", "--format", ALL).returncode == 0
    check_alike(tmp_path / "out")
    names, _, rows = from_csv(tmp_path / "out/results.csv")
    assert len(set(names)) == len(names)
    # the centre of mass of the frame is at the origin, the marker 2 m ahead and 1 m up; both begin at rest
    first = dict(zip(names, map(float, rows[0])))
    assert (first["chassis.x"], first["chassis.z"], first["chassis.x#2"], first["chassis.z#2"]) == (0, 0, 2, 1)


def test_what_could_not_be_begun_is_not_called_written(tmp_path):
    done = run(BARS, tmp_path / "out", "--until", "0.05",
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    assert done.returncode == 5 and not (tmp_path / "out").exists()
    assert "  written  " not in done.stdout
    done = subprocess.run([PROGRAM, "drive", *STEER, "--headless", "--duration", "0.05", "--out", str(tmp_path / "drive")], cwd=SOURCE,
                          capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    assert done.returncode == 5 and not (tmp_path / "drive").exists()
    assert "  written  " not in done.stdout


@pytest.mark.parametrize("words, code, said", [
    ("xls", 3, "--format is 'xls' in 'xls', expected csv, hdf5, mf4 or mcap"),
    ("csv,,mf4", 3, "--format is '' in 'csv,,mf4', expected csv"),
    ("csv,", 3, "--format is '' in 'csv,', expected csv"),
    ("mf4,csv,mf4", 3, "--format names 'mf4' twice, expected each once"),
    ("", 2, "is empty, expected a value"),
])
def test_formats_that_are_none_are_refused_in_one_line(tmp_path, words, code, said):
    done = run(BARS, tmp_path / "out", "--format", words)
    assert (done.returncode, done.stdout) == (code, "") and said in done.stderr
    assert code == 2 or done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_format_without_a_folder_is_refused():
    done = subprocess.run([PROGRAM, "run", *BARS, "--format", "mf4"], cwd=SOURCE, capture_output=True, text=True)
    assert done.returncode == 2 and "--out" in done.stderr


@pytest.mark.parametrize("name", FILES)
def test_a_table_of_any_format_is_kept_unless_asked(tmp_path, name):
    (tmp_path / name).write_text("mine")
    for format in ("csv", "hdf5", "mf4", "mcap"):
        done = run(BARS, tmp_path, "--until", "0.05", "--format", format)
        assert done.returncode == 3 and "--overwrite" in done.stderr and done.stderr.count("\n") == 1
        assert [path.name for path in tmp_path.iterdir()] == [name] and (tmp_path / name).read_text() == "mine"
    # a folder holds one run: what is left of another goes
    assert run(BARS, tmp_path, "--until", "0.05", "--format", "hdf5,mf4", "--overwrite").returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results.h5", "results.mf4", "summary.json"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run of 40 s to its end, and its numbers."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    assert run(BARS, folder, "--until", "40", "--step", "0.001", "--format", "mf4").returncode == 0
    return Mf4(folder / "results.mf4").rows


def test_a_run_killed_at_any_moment_leaves_files_that_open(tmp_path, whole):
    chance = random.Random(7)
    most = 0
    for k in range(10):
        out = tmp_path / str(k)
        with subprocess.Popen([PROGRAM, "run", *BARS, "--until", "1e5", "--step", "0.001", "--out", str(out), "--format", ALL],
                              cwd=SOURCE, stdout=subprocess.DEVNULL) as car:
            # once there is something in every file; the last that gets its name is the mcap
            while car.poll() is None and not ((out / "results.mcap").exists() and (out / "results.mcap").stat().st_size > 500000):
                time.sleep(0.005)
            time.sleep(0.2 * chance.random())
            car.send_signal(signal.SIGKILL)
        hdf5 = from_hdf5(out / "results.h5")
        mf4 = Mf4(out / "results.mf4")
        mcap = Mcap(out / "results.mcap")
        assert not mf4.finalised and not mcap.complete
        columns = mcap.columns()
        names = [channel.name for channel in mf4.channels]
        for rows, column in [(len(mf4.rows), lambda name: mf4.rows[:, names.index(name)]),
                             (len(hdf5["time"]), hdf5.__getitem__),
                             (len(columns.get("time", [])), lambda name: numpy.array(columns[name], dtype=float))]:
            most = max(most, rows)
            rows = min(rows, len(whole))
            for k, name in enumerate(names) if rows else []:
                assert (bits(column(name)[:rows]) == bits(whole[:rows, k])).all(), name
    assert most > 100


def test_rows_reach_every_file_long_before_a_buffer_is_full(tmp_path):
    out = tmp_path / "out"
    (tmp_path / "seldom.xml").write_text('<?xml version="1.0"?>\n<scenario name="s" version="1">\n'
                                         '<run step="0.001" until="1e6" record="2"/></scenario>\n')
    rows = [0, 0, 0, 0]
    with subprocess.Popen([PROGRAM, "run", "vehicles/models/iltis.xml", str(tmp_path / "seldom.xml"), "--out", str(out),
                           "--format", ALL], cwd=SOURCE, stdout=subprocess.DEVNULL) as car:
        try:
            while car.poll() is None and not all(rows):
                time.sleep(0.1)
                if not all((out / name).exists() for name in FILES):
                    continue
                try:
                    hdf5 = len(from_hdf5(out / "results.h5")["time"])
                except OSError:
                    continue  # read while it was written to: its end is of before, its tree of after
                rows = [len(from_csv(out / "results.csv")[2]), hdf5, len(Mf4(out / "results.mf4").rows),
                        len(Mcap(out / "results.mcap").columns().get("time", []))]
        finally:
            car.kill()
    # a run of two hundred times real time has a hundred rows a second; buffers take a thousand and more
    assert all(rows) and max(rows) < 1000


def test_ctrl_c_ends_every_file_as_it_should_be(tmp_path):
    out = tmp_path / "out"
    with subprocess.Popen([PROGRAM, "run", *BARS, "--until", "1e5", "--out", str(out), "--format", ALL], cwd=SOURCE,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as car:
        while car.poll() is None and not (out / "results.mcap").exists():
            time.sleep(0.005)
        time.sleep(0.05)
        car.send_signal(signal.SIGINT)
    assert car.returncode == 130
    assert check_alike(out).finalised and Mcap(out / "results.mcap").complete


@pytest.mark.parametrize("format", ["hdf5", "mf4", "mcap", "csv,mf4"])
def test_a_full_disk_is_one_line_and_leaves_what_had_room(tmp_path, format, whole):
    out = tmp_path / "out"
    done = run(BARS, out, "--until", "40", "--step", "0.001", "--format", format,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000000, 6000000)))
    assert done.returncode == 5 and done.stderr.count("\n") == 1, done.stderr
    assert "expected room on the disk; the run is at t = " in done.stderr
    assert "cannot be written" in (out / "summary.json").read_text()
    assert not list(out.glob("*.part"))
    if "mf4" in format:
        rows = Mf4(out / "results.mf4").rows[:, 0]
    elif format == "hdf5":
        rows = from_hdf5(out / "results.h5")["time"]
    else:
        rows = numpy.array(Mcap(out / "results.mcap").columns()["time"], dtype=float)
    assert 1000 < len(rows) < len(whole) and (bits(rows) == bits(whole[:len(rows), 0])).all()
