# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the name of a kernel says.

Rules for machine code are keyed on the functor's tag (arch/kernel_tag.hpp). How a functor is launched, and with which
bounds, is chosen by the code that launches it, and one functor is launched in several ways: only the name of Kokkos'
kernel around it says that.
"""

import re
import subprocess


def demangle(names):
    """With >> in one word: c++filt's own habit there is not the same everywhere."""
    if not names:
        return []
    run = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return [re.sub(r">\s+(?=>)", ">", line) for line in run.stdout.splitlines()]


def arguments(text, start):
    """The top-level arguments of the bracket that opens at text[start - 1]."""
    depth, begin, found = 0, start, []
    for at in range(start, len(text)):
        letter = text[at]
        if letter in "<({[":
            depth += 1
        elif letter == "," and depth == 0:
            found.append(text[begin:at].strip())
            begin = at + 1
        elif letter in ">)}]" and text[at - 1 : at + 1] != "->":
            if depth == 0:
                return [*found, text[begin:at].strip()]
            depth -= 1
    return [*found, text[begin:].strip()]


def functor_and_launch(name):
    """The user's functor in the name of a kernel that Kokkos launches, and how it is launched; else None."""
    match = re.search(r"Impl::Parallel(For|Reduce|Scan)\w*<", name)
    if not match:
        return None
    inner = arguments(name, match.end())
    functor = inner[0]
    if functor.startswith("Kokkos::Impl::CombinedFunctorReducer<"):
        functor = arguments(functor, functor.index("<") + 1)[0]
    policy = re.search(r"(MDRange|Team|Range|WorkGraph)Policy", " ".join(inner[1:]))
    launch = [policy[1] if policy else "?"]
    if match[1] != "For":
        launch.append(match[1].lower())
    if inner[1] == "true":
        # Kokkos 5.2 instantiates an MDRange twice; this one strides over extents beyond the launch limits.
        launch.append("strided")
    return functor, " ".join(launch)


def functor(name):
    found = functor_and_launch(name)
    return found[0] if found else name


def launch_bounds(name):
    """(threads of a team, teams that should fit a multiprocessor) as the kernel declares them; else None."""
    match = re.search(r"Kokkos::LaunchBounds<(\d+)u?, ?(\d+)u?>", name)
    return (int(match[1]), int(match[2])) if match and int(match[1]) > 0 else None


def is_of_teams(name):
    """Launched by a TeamPolicy; other policies choose their blocks themselves."""
    found = functor_and_launch(name)
    return found is not None and found[1].startswith("Team")


def is_kokkos_own(name):
    """Kokkos' own kernels (fills, copies, initialisation): listed in report.json, not in a table."""
    found = functor_and_launch(name)
    if found:
        return found[0].startswith("Kokkos::") and "pantile::" not in found[0]
    return "pantile::" not in name and re.search(r"\b(Kokkos|desul)::", name) is not None


def is_of_library(name):
    """Pantile's own: neither Kokkos' nor a user's."""
    return functor(name).startswith("pantile::impl::")


def shorten(name, width):
    found = functor_and_launch(name)
    text = found[0] if found else name
    # nvcc's own wrapper of a lambda names the enclosing function.
    text = re.sub(r"__nv_h?dl_wrapper_t<[^&]*&\(?(?:\w+ )?", "lambda in ", text)
    text = re.sub(r"Kokkos::View<([^,<>]+), (?:Kokkos::)?Layout(\w+)[^<>]*(?:<[^<>]*>[^<>]*)*>", r"View<\1,\2>", text)
    text = re.sub(r"\([^()]*\)(?: const)?(?=::\{lambda)", "", text)
    text = re.sub(r"\{lambda\([^()]*\)#(\d+)\}", r"lambda#\1", text)
    text = re.sub(r"\b(?:pantile::(?:impl::)?|Kokkos::(?:Impl::|Experimental::)*|std::)", "", text)
    text = re.sub(r"\((?:unsigned )?(?:int|long|char|bool)\)", "", text)
    text = re.sub(r"(?<=\d)[ul]+\b", "", text).replace(", ", ",").replace(" >", ">")
    tail = f" [{found[1]}]" if found else ""
    room = width - len(tail)
    if len(text) > room:
        text = text[: room * 2 // 3] + "..." + text[len(text) - (room - room * 2 // 3 - 3) :]
    return text + tail


def shorten_tuned(name, width):
    """Equal element types once, and the tile without its machine: MultistageKernel<double,Doubles>."""
    text = re.sub(r" \[\w+\]$", "", shorten(name, 1000))
    text = re.sub(r"\barch::\w+::", "", text)
    text = re.sub(r"<([^<>,]+(?:<[^<>]*>)?),\1,\1,\1(?=[,>])", r"<\1", text)
    return text if len(text) <= width else text[: width - 3] + "..."
