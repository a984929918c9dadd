# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An installed Kokkos, which is configured for the host, as one that is configured for a device.

An overlay folder, before Kokkos' own on the include path, holds its configuration headers with the device backend
switched on. The device check links nothing.
"""

import re

# Architecture -> what Kokkos' configuration defines for it.
ARCHITECTURES = {
    "sm_80": ["AMPERE", "AMPERE80"],
    "sm_86": ["AMPERE", "AMPERE86"],
    "sm_89": ["ADA89"],
    "sm_90": ["HOPPER", "HOPPER90"],
    "sm_100": ["BLACKWELL", "BLACKWELL100"],
    "sm_120": ["BLACKWELL", "BLACKWELL120"],
    "gfx908": ["AMD_GPU", "AMD_GFX908", "VEGA", "VEGA908"],
    "gfx90a": ["AMD_GPU", "AMD_GFX90A", "VEGA", "VEGA90A"],
    "gfx942": ["AMD_GPU", "AMD_GFX942"],
    "gfx1100": ["AMD_GPU", "AMD_GFX1100", "NAVI", "NAVI1100"],
    "host": [],
}

# Backend: its name in Kokkos' macros, in its fwd/ and decl/ headers, and in its setup/ header.
BACKENDS = {"cuda": ("CUDA", "CUDA", "Cuda"), "hip": ("HIP", "HIP", "HIP"), "host": None}


def define(text, name, value=""):
    """Switches a `/* #undef NAME */` or `#define NAME` of a generated header on."""
    pattern = rf"^(/\* #undef {name} \*/|#define {name}\b.*)$"
    text, count = re.subn(pattern, f"#define {name} {value}".rstrip(), text, flags=re.M)
    if count != 1:
        raise SystemExit(f"device check: this Kokkos' configuration has no {name}")
    return text


def includes(stem, names):
    return "#pragma once\n" + "".join(f"#include <{stem}_{name}.hpp>\n" for name in names)


def write_overlay(folder, kokkos, backend, arch, host="SERIAL"):
    """With one backend for hosts and, unless it is the host, the device backend; no other. Where something is linked,
    the one for hosts is what the installed library has (OPENMP)."""
    config = (kokkos / "KokkosCore_config.h").read_text()
    config = re.sub(r"^#define (KOKKOS_ENABLE_(OPENMP|THREADS|HPX))$", r"/* #undef \1 */", config, flags=re.M)
    config = define(config, f"KOKKOS_ENABLE_{host}")
    desul = (kokkos / "desul/atomics/Config.hpp").read_text()
    desul = re.sub(r"^#define (DESUL_ATOMICS_ENABLE_OPENMP)$", r"/* #undef \1 */", desul, flags=re.M)
    headers, setup = [host], []
    if BACKENDS[backend]:
        macro, header, name = BACKENDS[backend]
        config = define(config, f"KOKKOS_ENABLE_{macro}")
        desul = define(desul, f"DESUL_ATOMICS_ENABLE_{macro}")
        headers, setup = [host, header], [name]
    for name in ARCHITECTURES[arch]:
        config = define(config, f"KOKKOS_ARCH_{name}", f'"{arch}"' if name == "AMD_GPU" else "")
    files = {
        "KokkosCore_config.h": config,
        "desul/atomics/Config.hpp": desul,
        "KokkosCore_Config_FwdBackend.hpp": includes("fwd/Kokkos_Fwd", headers),
        "KokkosCore_Config_SetupBackend.hpp": includes("setup/Kokkos_Setup", setup),
        "KokkosCore_Config_DeclareBackend.hpp": includes("decl/Kokkos_Declare", headers),
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
