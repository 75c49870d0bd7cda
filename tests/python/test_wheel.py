"""The wheel that pip would build, built from this build tree and imported from a folder of its own."""
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

import semirec

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_wheel_is_whole_and_can_be_imported(tmp_path, monkeypatch):
    build = pathlib.Path(semirec.__file__).resolve().parents[2]
    if not (build / "build.ninja").exists():
        pytest.fail("the package is not that of a build tree: run ctest")
    monkeypatch.setenv("SEMIREC_BUILD_DIR", str(build))
    monkeypatch.syspath_prepend(str(ROOT / "apps" / "python"))
    import backend
    wheel = backend.build_wheel(str(tmp_path))
    assert wheel == backend.build_wheel(str(tmp_path)) and wheel.startswith("semirec-")
    with zipfile.ZipFile(tmp_path / wheel) as archive:
        record = archive.read(f"semirec-{semirec.__version__}.dist-info/RECORD").decode().splitlines()
        assert sorted(line.split(",")[0] for line in record) == sorted(archive.namelist())
        archive.extractall(tmp_path / "site")
    code = "import semirec; print(semirec.__file__, semirec.__version__)"
    told = subprocess.run([sys.executable, "-B", "-c", code], env=dict(os.environ, PYTHONPATH=str(tmp_path / "site")), cwd=tmp_path,
                          check=True, capture_output=True, text=True).stdout
    assert told.split() == [str(tmp_path / "site" / "semirec" / "__init__.py"), semirec.__version__]
