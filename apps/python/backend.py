"""Builds the wheel for pip (PEP 517) with CMake and nothing else: no package is fetched, so it works without a network."""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _project():
    """Name, version, description, requires-python and dependencies of pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text()

    def value(key):
        return re.search(rf'^{key} = "(.*)"$', text, re.M)[1]

    needs = re.search(r"^dependencies = \[(.*)\]$", text, re.M)[1]
    return value("name"), value("version"), value("description"), value("requires-python"), re.findall(r'"(.*?)"', needs)


def _tag():
    """Of this interpreter and machine: the module is of one Python version."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _build(folder):
    """Builds the package and installs it below `folder`."""
    build = os.environ.get("SEMIREC_BUILD_DIR") or os.path.join(folder, "build")
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DSEMIREC_TESTS=OFF", f"-DPython3_EXECUTABLE={sys.executable}",
               "-DSEMIREC_PYTHON_DIR=.", "-DSEMIREC_NODE=/nonexistent"]
    if not os.environ.get("SEMIREC_BUILD_DIR"):
        subprocess.run(["cmake", "-S", str(ROOT), "-B", build, "-G", "Ninja", *options], check=True)
    subprocess.run(["cmake", "--build", build, "--target", "semirec_python"], check=True)
    package = pathlib.Path(build) / "python" / "semirec"
    return {f"semirec/{file.name}": file.read_bytes() for file in sorted(package.iterdir()) if file.is_file()}


def _metadata():
    name, version, description, python, needs = _project()
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", f"Summary: {description}", "License: BSD-3-Clause",
             f"Requires-Python: {python}", *(f"Requires-Dist: {need}" for need in needs)]
    return "\n".join(lines) + "\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, version, *_ = _project()
    info = f"{name}-{version}.dist-info"
    with tempfile.TemporaryDirectory() as folder:
        files = _build(folder)
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: semirec\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = [f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
              for path, data in files.items()]
    files[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    wheel = f"{name}-{version}-{_tag()}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return wheel


def get_requires_for_build_wheel(config_settings=None):
    return []
