# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Presets beside the build: the targets that they name are there. Without them a build ends before it begins."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = r"\b(?:pantile_add_test|add_executable|add_library)\(\s*([\w${}-]+)"
LOOP = re.compile(r"^foreach\((\w+) IN (ITEMS|LISTS) ([^)]*)\)\s*?\n(.*?)^endforeach\(\)", re.MULTILINE | re.DOTALL)


def programs_of(text):
    """Names of the programs that a CMakeLists.txt makes, in loops over words and over lists that it fills itself."""
    text = re.sub(r"#.*", "", text)
    found = set(re.findall(PROGRAM, text))
    for variable, kind, words, body in LOOP.findall(text):
        if kind == "LISTS":
            words = " ".join(re.findall(rf"(?:set\(|list\(APPEND ){re.escape(words.strip())} ([^)]*)\)", text))
        for name in re.findall(PROGRAM, body):
            found |= {name.replace(f"${{{variable}}}", word) for word in words.split()}
    return found


class Presets(unittest.TestCase):
    def test_loops_and_lists_are_read(self):
        text = """set(parts one two)
list(APPEND parts three)
foreach(part IN LISTS parts)
  pantile_add_test(test_${part} SOURCES test_${part}.cpp)
endforeach()
foreach(part IN ITEMS four)  # five
  pantile_add_test(
    test_${part} SOURCES test.cpp
  )
endforeach()
add_executable(six six.cpp)
# add_executable(seven seven.cpp)
"""
        found = {name for name in programs_of(text) if "$" not in name}
        self.assertEqual(found, {"test_one", "test_two", "test_three", "test_four", "six"})

    def test_their_targets_are_programs(self):
        there = set()
        for path in [*(ROOT / "unit_tests").rglob("CMakeLists.txt"), ROOT / "src/driver/CMakeLists.txt"]:
            there |= programs_of(path.read_text(encoding="utf-8"))
        presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["buildPresets"]
        named = {target for preset in presets for target in preset.get("targets", ())}
        self.assertIn("race", named)
        self.assertEqual(named - there, set())


if __name__ == "__main__":
    unittest.main()
