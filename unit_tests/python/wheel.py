# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py SOURCE PREFIX FOLDER: pip makes a wheel of the checkout, on the libpantile_c that the prefix has, installs
it in a folder, and the package's tests run on that. Nothing is fetched, and nothing is left in the checkout. Where a
module is missing it says so and exits with 77, which ctest takes for skipped."""

import importlib.metadata
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import run

HERE = pathlib.Path(__file__).parent
NEEDED = "pip,scikit_build_core,nanobind,numpy,pytest"
PACKAGE = {"__init__.py", "__init__.pyi", "py.typed"}


def pip(*arguments):
    command = [sys.executable, "-m", "pip", *arguments, "--no-index", "--no-deps", "--no-cache-dir"]
    subprocess.run(command + ["--disable-pip-version-check"], check=True)


def complaints(wheel, version):
    """What a wheel must hold: one module, the library under the name that the loader looks for, no second package."""
    if not wheel.name.startswith(f"pantile-{version}-cp3"):
        yield f"{wheel.name} is no wheel of {version} for this Python"
    files = [name for name in zipfile.ZipFile(wheel).namelist() if f"pantile-{version}.dist-info/" not in name]
    names = {name.removeprefix("pantile/") for name in files}
    libraries = sorted(names - PACKAGE)
    if len(libraries) != 2 or not libraries[0].startswith("_pantile.") or libraries[1] != "libpantile_c.so.1":
        yield f"{wheel.name} holds {files}"
    if not names >= PACKAGE:
        yield f"{wheel.name} lacks {PACKAGE - names}"


def main(source, prefix, folder):
    missing = [name for name in NEEDED.split(",") if not run.exists(name)]
    if missing:
        print(f"skipped: Python here lacks {', '.join(missing)}")
        return 77
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    defines = {"Pantile_USE_INSTALLED_C": "ON", "CMAKE_PREFIX_PATH": prefix}
    settings = [f"--config-settings=cmake.define.{name}={value}" for name, value in defines.items()]
    settings.append(f"--config-settings=build-dir={folder / 'build'}")
    pip("wheel", "--no-build-isolation", f"--wheel-dir={folder}", *settings, source)
    (wheel,) = folder.glob("*.whl")
    pip("install", f"--target={folder / 'site'}", str(wheel))
    used = os.times()
    print(f"{used.children_user + used.children_system:.1f} s of CPU time", flush=True)

    (installed,) = importlib.metadata.distributions(name="pantile", path=[str(folder / "site")])
    wrong = list(complaints(wheel, installed.version))
    print("\n".join(wrong), flush=True)
    environment = dict(os.environ, PYTHONPATH=str(folder / "site"), PANTILE_TEST_INSTALLED="1")
    tests = [sys.executable, str(HERE / "run.py"), "numpy,pytest", "test_package.py", "test_readme.py"]
    return subprocess.run(tests, cwd=HERE, env=environment, check=False).returncode or bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
