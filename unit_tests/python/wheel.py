# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py SOURCE PREFIX FOLDER: pip makes a wheel of the checkout, on the libpantile_c that the prefix has, installs
it in a folder, and the package's tests run on that. Then the commands of the README's section "From Python" do, for an
installed Pantile, what they say, and run its program. All this in a copy of the checkout: nothing is fetched, and
nothing is left in it. Where a module is missing it says so and exits with 77, which ctest takes for skipped."""

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import run
from test_readme import PRINTED

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


def readme_blocks(text):
    """The program of the section, and its two blocks of commands: pip compiles all of Pantile, or takes what is
    installed."""
    section = text.partition("\n## From Python\n")[2].partition("\n## ")[0]
    found = re.findall(r"```(\w+)\n(.*?)```", section, flags=re.DOTALL)
    if [language for language, _ in found] != ["python", "sh", "sh"]:
        sys.exit(f"the section 'From Python' has blocks of {[language for language, _ in found]}")
    return [text for _, text in found]


def by_the_readme(checkout, prefix, environment):
    """What the program prints by the package that the README's last block installs, run as its first one says."""
    program, whole, installed = readme_blocks((checkout / "README.md").read_text())
    (checkout / "product.py").write_text(program)
    commands = installed.replace("<prefix>", str(prefix)) + whole.strip().splitlines()[-1]
    offline = dict(environment, PIP_NO_INDEX="1", PIP_NO_CACHE_DIR="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
    done = subprocess.run(["sh", "-e", "-c", commands], cwd=checkout, env=offline, stdout=subprocess.PIPE, text=True,
                          check=True)  # fmt: skip
    return done.stdout


def main(source, prefix, folder):
    missing = [name for name in NEEDED.split(",") if not run.exists(name)]
    if missing:
        print(f"skipped: Python here lacks {', '.join(missing)}")
        return 77
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    checkout = folder / "checkout"
    shutil.copytree(source, checkout, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))
    defines = {"Pantile_USE_INSTALLED_C": "ON", "CMAKE_PREFIX_PATH": prefix}
    settings = [f"--config-settings=cmake.define.{name}={value}" for name, value in defines.items()]
    settings.append(f"--config-settings=build-dir={folder / 'build'}")
    pip("wheel", "--no-build-isolation", f"--wheel-dir={folder}", *settings, str(checkout))
    (wheel,) = folder.glob("*.whl")
    pip("install", f"--target={folder / 'site'}", str(wheel))
    used = os.times()
    print(f"{used.children_user + used.children_system:.1f} s of CPU time", flush=True)

    (installed,) = importlib.metadata.distributions(name="pantile", path=[str(folder / "site")])
    wrong = list(complaints(wheel, installed.version))
    print("\n".join(wrong), flush=True)
    environment = dict(os.environ, PYTHONPATH=str(folder / "site"), PANTILE_TEST_INSTALLED="1")
    tests = [sys.executable, str(HERE / "run.py"), "numpy,pytest", "test_package.py", "test_readme.py"]
    status = subprocess.run(tests, cwd=HERE, env=environment, check=False).returncode or bool(wrong)
    # The same objects, since pip's own folder would take them anew.
    printed = by_the_readme(checkout, prefix, dict(os.environ, SKBUILD_BUILD_DIR=str(folder / "build")))
    if not printed.endswith(PRINTED):
        print(f"by the README's commands: {printed}")
    return status or not printed.endswith(PRINTED)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
