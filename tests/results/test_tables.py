"""Tables written by write_table.cpp in every format, read back by h5py and by readers that share nothing with the writers."""
import os
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

WRITER = os.environ["SEMIREC_WRITE_TABLE"]
FORMATS = ["hdf5", "mf4", "mcap"]
PLAIN = [("time", "s", "Time")] + [(f"wheel_{k}.Fz", "N", f"load {k}") for k in range(1, 8)]
# quotes, other scripts, what JSON, XML and HDF5 escape, lengths, no text at all, bytes that are no UTF-8, twins
HOSTILE = [
    ("time", "s", "Time"),
    ('a"b\'c.x', "m/s²", 'says "no"'),
    ("back\\slash.z[0]", "°", "C:\\new"),
    ("back\\slash.z[1]", "°", ""),
    ("/root/<tag>&amp;.y", "<b>&", "]]>"),
    ("чехол.速度", "км/ч", "ходовая часть 車"),
    ("x" * 3000 + ".y", "u" * 300, "d" * 70000),
    ("", "", ""),
    (".", "1", "a dot"),
    ("twin.v", "1", "first"),
    ("twin.v", "1", "second"),
    ("line\nbreak\ttab\x7f.v", "\r\n", "\x01"),
    (b"broken\xff\xc3(.v", b"\xed\xa0\x80", b"\xf5"),
    ("spring[x].z[7]", "m", "no array"),
    ("arm.z[0]", "rad", ""),
    ("arm.z", "rad", ""),
    ("arm.rate[1]", "rad/s", "out of turn"),
]
# as bytes cannot be told from text by a reader, what every format makes of the names
HOSTILE_NAMES = ["time", 'a"b\'c.x', "back\\slash.z[0]", "back\\slash.z[1]", "/root/<tag>&amp;.y", "чехол.速度",
                 "x" * 3000 + ".y", "unnamed", ".", "twin.v", "twin.v#2", "line break tab .v", "broken��(.v",
                 "spring[x].z[7]", "arm.z[0]", "arm.z", "arm.rate[1]"]


def encode(columns):
    return b"".join((text if isinstance(text, bytes) else text.encode()) + b"\0" for column in columns for text in column)


def command(kind, path, rows, expected=0, a_flush=1000):
    return [WRITER, kind, str(path), str(rows), str(expected), str(a_flush)]


def numbers(rows, columns):
    """number_of() of write_table.cpp, the time in the first column."""
    row = numpy.arange(1, rows + 1, dtype=numpy.uint64)[:, None]
    x = row * numpy.uint64(0x9E3779B97F4A7C15) + numpy.arange(columns, dtype=numpy.uint64) * numpy.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> numpy.uint64(31)
    x *= numpy.uint64(0x94D049BB133111EB)
    table = (x ^ (x >> numpy.uint64(29))).view(numpy.float64)
    table[:, 0] = 1e-3 * numpy.arange(rows, dtype=float)
    return table


def bits(table):
    return numpy.ascontiguousarray(table).view(numpy.uint64)


def read(kind, path, names):
    """The rows of a file, in the order of the columns."""
    if kind == "mf4":
        return Mf4(path).rows
    if kind == "hdf5":
        with h5py.File(path, "r") as file:
            datasets = {data.attrs.get("name", name): data for name, data in file.items()}
            rows = len(datasets["time"])
            return numpy.stack([datasets[name][:rows] for name in names], axis=1)
    table = Mcap(path).columns()
    return numpy.array([table.get(name, []) for name in names], dtype=float).T


def check_rows(kind, rows, expected):
    if kind == "mcap":
        # JSON has no word for what is not finite, and none for a payload of NaN
        expected = numpy.where(numpy.isfinite(expected), expected, numpy.nan)
        assert numpy.array_equal(rows, expected, equal_nan=True)
        finite = numpy.isfinite(expected)
        assert (bits(rows)[finite] == bits(expected)[finite]).all()
    else:
        assert (bits(rows) == bits(expected)).all()


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("rows, expected", [(0, 100), (1, 1), (64, 0), (65, 0), (5000, 5000), (5000, 200)])
def test_every_number_comes_back_to_the_bit(tmp_path, kind, rows, expected):
    path = tmp_path / "table"
    subprocess.run(command(kind, path, rows, expected, 777), input=encode(PLAIN), check=True, stdout=subprocess.DEVNULL)
    names = [name for name, _, _ in PLAIN]
    found = read(kind, path, names).reshape(-1, len(PLAIN))
    assert len(found) == rows
    check_rows(kind, found, numbers(rows, len(PLAIN)))


def test_a_run_far_longer_than_expected_has_trees_of_three_heights(tmp_path):
    # chunks of 64 rows, 64 of them a node: beyond 64 * 64 * 64 rows
    rows = 64 * 64 * 64 + 64 * 70
    path = tmp_path / "table"
    subprocess.run(command("hdf5", path, rows, 0, 9999), input=encode(PLAIN[:3]), check=True, stdout=subprocess.DEVNULL)
    check_rows("hdf5", read("hdf5", path, [name for name, _, _ in PLAIN[:3]]), numbers(rows, 3))


@pytest.mark.parametrize("kind", FORMATS)
def test_names_and_units_of_any_kind(tmp_path, kind):
    path = tmp_path / "table"
    subprocess.run(command(kind, path, 20, 20, 7), input=encode(HOSTILE), check=True, stdout=subprocess.DEVNULL)
    expected = numbers(20, len(HOSTILE))
    units = ["\ufffd" * 3 if isinstance(unit, bytes) else unit.replace("\r", " ").replace("\n", " ") for _, unit, _ in HOSTILE]
    if kind == "mf4":
        file = Mf4(path)
        assert [channel.name for channel in file.channels] == HOSTILE_NAMES
        assert [channel.unit for channel in file.channels] == units
        assert file.channels[6].comment == "d" * 70000
        assert file.title == file.tool["TX"] == 'a <table> & its "title"' and file.started == 1700000000123456789
    elif kind == "hdf5":
        with h5py.File(path, "r") as file:
            found = {data.attrs.get("name", name): data for name, data in file.items()}
            assert sorted(found) == sorted(HOSTILE_NAMES)
            assert [found[name].attrs["units"] for name in HOSTILE_NAMES] == units
            assert found[HOSTILE_NAMES[6]].attrs["description"] == "d" * 70000
            assert file.attrs["title"] == 'a <table> & its "title"' and file.attrs["axis"] == "time"
            assert file.attrs["started"] == "2023-11-14T22:13:20Z"
    else:
        file = Mcap(path)
        assert len(file.messages) == 20 * len(file.channels)
        topics = [topic for topic, _ in file.channels.values()]
        assert len(set(topics)) == len(topics)
        # every column is somewhere, once: the numbers tell which
        found = numpy.array(list(file.columns().values()), dtype=float).T
        wanted = numpy.where(numpy.isfinite(expected), expected, numpy.nan)
        assert sorted(map(tuple, bits(found.T).tolist())) == sorted(map(tuple, bits(wanted.T).tolist()))
        assert {"back\\slash.z[1]", "arm.z[0]", "arm.z_", "arm.rate[1]", "spring[x].z[7]"} <= set(file.columns())
        return
    check_rows(kind, read(kind, path, HOSTILE_NAMES), expected)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_writer_killed_at_any_moment_leaves_what_it_has_flushed(tmp_path, kind):
    path = tmp_path / "table"
    names = [name for name, _, _ in PLAIN]
    expected = numbers(400000, len(PLAIN))
    chance = random.Random(5)
    flushed = []
    for _ in range(100):
        # flushes follow one another without a pause, so most kills hit one
        with subprocess.Popen(command(kind, path, 10**9, chance.choice([0, 30000]), chance.choice([1, 13, 100])),
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
            writer.stdin.write(encode(PLAIN))
            writer.stdin.close()
            assert writer.stdout.readline() == b"0\n"
            time.sleep((0.01 if kind == "mcap" else 0.03) * chance.random() ** 2)
            writer.send_signal(signal.SIGKILL)
            flushed.append(int((b"0\n" + writer.stdout.read()).split()[-1]))
        rows = read(kind, path, names).reshape(-1, len(names))
        assert flushed[-1] <= len(rows)
        if len(rows) + 1000 > len(expected):
            # the machine had other things to do than to kill it
            expected = numbers(2 * len(rows), len(PLAIN))
        check_rows(kind, rows, expected[:len(rows)])
        if kind == "mf4":
            file = Mf4(path, finalise=True)
            assert not file.finalised and file.flags == 5 and len(file.rows) >= len(rows)
            check_rows(kind, file.rows, expected[:len(file.rows)])
    assert max(flushed) > 100 and len(set(flushed)) > 10


@pytest.mark.parametrize("kind", FORMATS)
def test_a_full_disk_leaves_a_file_that_opens(tmp_path, kind):
    path = tmp_path / "table"
    names = [name for name, _, _ in PLAIN]
    for room in (30000, 40001, 100000, 300007):
        done = subprocess.run(command(kind, path, 10**6, 20000, 10), input=encode(PLAIN), stdout=subprocess.PIPE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
        assert done.returncode == 1 and path.stat().st_size <= room
        told = done.stdout.split()
        if not told:
            # not even what comes before the rows had room
            assert kind == "hdf5" and room < 60000
            continue
        rows = read(kind, path, names).reshape(-1, len(names))
        assert len(rows) >= int(told[-1])
        check_rows(kind, rows, numbers(len(rows), len(names)))
        if kind == "mf4":
            assert Mf4(path).finalised


@pytest.mark.parametrize("kind", FORMATS)
def test_a_full_disk_keeps_the_rows_that_had_room_of_those_that_waited(tmp_path, kind):
    path = tmp_path / "table"
    names = [name for name, _, _ in PLAIN]
    room = 200000
    # rows wait until a buffer is full, which is far behind the end of the disk
    done = subprocess.run(command(kind, path, 10**6, 0, 10**6), input=encode(PLAIN), stdout=subprocess.PIPE,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
    assert done.returncode == 1 and path.stat().st_size <= room
    rows = read(kind, path, names).reshape(-1, len(names))
    check_rows(kind, rows, numbers(len(rows), len(names)))
    # 64 bytes a row behind heads of less than 40 kB, HDF5 in chunks of 64 rows; in MCAP a row is text of less than 600 bytes
    assert len(rows) >= {"hdf5": (room - 40000) // 64 - 64, "mf4": (room - 40000) // 64, "mcap": (room - 40000) // 600}[kind]


@pytest.mark.parametrize("kind", FORMATS)
def test_memory_does_not_grow_with_the_rows(tmp_path, kind):
    most = []
    for rows in (40000, 160000):
        with subprocess.Popen(command(kind, tmp_path / "table", rows, rows), stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL) as writer:
            writer.stdin.write(encode(PLAIN))
            writer.stdin.close()
            _, status, usage = os.wait4(writer.pid, 0)
            writer.returncode = status
        assert status == 0
        most.append(usage.ru_maxrss)
    # kB; the tables are of 3 and 10 MB, in JSON of 9 and 36
    assert most[1] < most[0] + 1500
