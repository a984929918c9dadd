#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every rule of lint.py finds its violation, and nothing in a tree that keeps the rules."""

import pathlib
import tempfile
import unittest

import lint

SPDX = "// SPDX-FileCopyrightText: Pantile contributors\n// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
HEADER = SPDX + "#pragma once\n"


def broken_rules(files):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return lint.check_tree(folder)


class LintTest(unittest.TestCase):
    def assert_clean(self, path, text):
        self.assertEqual(broken_rules({path: text}), [])

    def assert_broken(self, path, text, rule):
        found = broken_rules({path: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(rule, found[0])
        self.assertTrue(found[0].startswith(path + ":"), found)

    def assert_include(self, path, include, allowed):
        text = f"{HEADER}#include <{include}>\n"
        if allowed:
            self.assert_clean(path, text)
        else:
            self.assert_broken(path, text, f"include {include}: not allowed here")

    def test_include_table(self):
        for path, include, allowed in (
            ("include/pantile/element.hpp", "pantile/impl/compiler_ext/types.hpp", True),
            ("include/pantile/error.hpp", "pantile/impl/compiler_ext/types.hpp", False),
            ("include/pantile/matmul.hpp", "pantile/policy.hpp", True),
            ("include/pantile/matmul.hpp", "pantile/impl/matmul/call.hpp", True),
            ("include/pantile/matmul.hpp", "pantile/instances/matmul.hpp", True),
            ("include/pantile/matmul.hpp", "pantile/impl/view/matrix.hpp", True),
            ("include/pantile/matmul.hpp", "pantile/impl/add/call.hpp", False),
            ("include/pantile/matmul.hpp", "pantile/impl/tile/shape.hpp", False),
            ("include/pantile/matmul.hpp", "pantile/instances/add.hpp", False),
            ("include/pantile/matmul.hpp", "pantile/add.hpp", False),
            ("include/pantile/matmul.hpp", "pantile/pantile.hpp", False),
            ("include/pantile/transfer_scope.hpp", "pantile/transfer.hpp", True),
            ("src/pantile/impl/transfer/launch.hpp", "pantile/impl/transpose/kernel_blocked.hpp", True),
            ("src/pantile/impl/transpose/launch.hpp", "pantile/impl/transfer/launch.hpp", False),
            ("include/pantile/transfer_scope.hpp", "pantile/impl/transfer/scope.hpp", True),
            ("include/pantile/out_of_core.hpp", "pantile/view_store.hpp", True),
            ("include/pantile/out_of_core.hpp", "pantile/matmul.hpp", False),
            ("src/pantile/impl/out_of_core/product.hpp", "pantile/matmul.hpp", True),
            ("src/pantile/impl/out_of_core/product.hpp", "pantile/histogram.hpp", False),
            ("src/pantile/impl/linalg/product.hpp", "pantile/add.hpp", True),
            ("src/pantile/impl/linalg/product.hpp", "pantile/operands.hpp", False),
            ("include/pantile/out_of_core.hpp", "pantile/impl/matmul/call.hpp", False),
            ("include/pantile/file_store.hpp", "pantile/impl/out_of_core/file.hpp", True),
            ("src/pantile/impl/out_of_core/plan.hpp", "pantile/tile_store.hpp", True),
            ("include/pantile/pantile.hpp", "pantile/matmul.hpp", True),
            ("include/pantile/pantile.hpp", "pantile/impl/matmul/call.hpp", False),
            ("include/pantile/pantile.hpp", "pantile/mpi/matmul.hpp", False),
            ("include/pantile/concepts.hpp", "pantile/element.hpp", True),
            ("include/pantile/concepts.hpp", "pantile/matmul.hpp", False),
            ("include/pantile/concepts.hpp", "pantile/impl/view/matrix.hpp", False),
            ("include/pantile/team/loop.hpp", "pantile/impl/tile/shape.hpp", True),
            ("include/pantile/team/loop.hpp", "pantile/team/tile.hpp", True),
            ("include/pantile/team/loop.hpp", "pantile/impl/matmul/problem.hpp", False),
            ("include/pantile/team/loop.hpp", "pantile/impl/arch/current.hpp", False),
            ("src/pantile/impl/arch/current.hpp", "pantile/impl/arch/cuda/traits.hpp", True),
            ("src/pantile/impl/arch/current.hpp", "pantile/impl/tile/shape.hpp", False),
            ("src/pantile/impl/arch/current.hpp", "pantile/impl/matmul/problem.hpp", False),
            ("src/pantile/impl/tile/shape.hpp", "pantile/element.hpp", True),
            ("src/pantile/impl/tile/shape.hpp", "pantile/impl/arch/machine.hpp", False),
            ("src/pantile/impl/tile/shape.hpp", "pantile/impl/view/matrix.hpp", True),
            ("src/pantile/impl/view/check.hpp", "pantile/impl/tile/shape.hpp", False),
            ("src/pantile/impl/launch/shape.hpp", "pantile/impl/arch/machine.hpp", True),
            ("src/pantile/impl/launch/shape.hpp", "pantile/impl/matmul/problem.hpp", False),
            ("src/pantile/impl/backend/gemm.hpp", "pantile/impl/view/matrix.hpp", True),
            ("src/pantile/impl/backend/gemm.hpp", "pantile/impl/matmul/problem.hpp", False),
            ("src/pantile/impl/matmul/launch.hpp", "pantile/impl/arch/current.hpp", True),
            ("src/pantile/impl/matmul/launch.hpp", "pantile/impl/backend/gemm.hpp", True),
            ("src/pantile/impl/matmul/launch.hpp", "pantile/impl/arch/cuda/traits.hpp", False),
            ("src/pantile/impl/matmul/launch.hpp", "pantile/impl/add/launch.hpp", False),
            ("src/pantile/impl/matmul/launch.hpp", "pantile/matmul.hpp", False),
            ("src/lib/version.cpp", "pantile/version.hpp", True),
            ("src/lib/units.cpp", "pantile/impl/matmul/instances.hpp", True),
            ("src/lib/units.cpp", "pantile/impl/matmul/kernel.hpp", False),
            ("src/lib/units.cpp", "pantile/impl/arch/host/ukernel/gemm/block.hpp", False),
            ("src/lib/python/matmul.cpp", "pantile/c/pantile.h", True),
            ("src/lib/python/matmul.cpp", "pantile/matmul.hpp", False),
            ("src/lib/blas/gemm.cpp", "pantile/matmul.hpp", True),
            ("src/lib/blas/gemm.cpp", "pantile/impl/matmul/host/launch.hpp", True),
            ("src/lib/blas/gemm.cpp", "pantile/impl/transpose/launch.hpp", False),
            ("src/lib/blas/gemm.cpp", "pantile/impl/arch/host/ukernel/gemm/block.hpp", False),
            ("src/lib/c/matmul.cpp", "pantile/matmul.hpp", True),
            ("src/lib/c/exec.cpp", "pantile/impl/kokkos_ext/device_handles.hpp", True),
            ("src/lib/c/matmul.cpp", "pantile/impl/matmul/call.hpp", False),
            ("include/pantile/c/pantile.h", "pantile/c/types.h", True),
            ("include/pantile/c/pantile.h", "pantile/matmul.hpp", False),
            ("include/pantile/mpi/matmul.hpp", "pantile/mpi/grid.hpp", True),
            ("include/pantile/mpi/add.hpp", "pantile/add.hpp", True),
            ("include/pantile/mpi/matmul.hpp", "pantile/impl/mpi/pblas.hpp", True),
            ("include/pantile/mpi/matmul.hpp", "pantile/impl/view/matrix.hpp", True),
            ("include/pantile/mpi/matmul.hpp", "pantile/impl/matmul/call.hpp", False),
            ("src/pantile/impl/mpi/product.hpp", "pantile/transfer.hpp", True),
            ("src/pantile/impl/mpi/staging.hpp", "pantile/impl/transfer/block_pool.hpp", True),
            ("src/pantile/impl/mpi/exchange.hpp", "pantile/impl/transpose/launch.hpp", False),
            ("src/lib/mpi/grid.cpp", "pantile/c/blas.h", True),
            ("src/lib/mpi/grid.cpp", "pantile/impl/matmul/call.hpp", False),
            ("src/lib/c/matmul.cpp", "pantile/mpi/matmul.hpp", False),
            ("include/pantile/matmul.hpp", "pantile/mpi/grid.hpp", False),
            ("src/pantile/impl/matmul/launch.hpp", "pantile/impl/mpi/pblas.hpp", False),
            ("src/lib/isa/matmul.cpp", "pantile/impl/arch/host/ukernel/gemm/block.hpp", True),
            ("src/lib/isa/matmul.cpp", "pantile/impl/matmul/kernel.hpp", False),
            ("src/pantile/impl/matmul/host/launch.hpp", "pantile/impl/arch/host/ukernel/gemm/functions.hpp", True),
            ("src/pantile/impl/matmul/host/launch.hpp", "pantile/impl/arch/host/ukernel/gemm/block.hpp", False),
            ("src/pantile/impl/matmul/host/launch.hpp", "pantile/impl/arch/host/tuning/matmul.hpp", True),
            ("src/pantile/impl/matmul/host/launch.hpp", "pantile/impl/arch/host/tuning/machine.hpp", True),
            ("src/pantile/impl/matmul/host/launch.hpp", "pantile/impl/arch/host/tuning/movement.hpp", False),
            ("src/pantile/impl/matmul/host/launch.hpp", "pantile/impl/arch/host/tuning/other.hpp", False),
            ("src/pantile/impl/arch/host/ukernel/gemm/pack.hpp", "pantile/impl/arch/host/tuning/gemm.hpp", True),
            ("src/pantile/impl/arch/host/ukernel/gemm/pack.hpp", "pantile/impl/arch/host/tuning/matmul.hpp", False),
            ("src/pantile/impl/launch/shape.hpp", "pantile/impl/arch/host/tuning/machine.hpp", True),
            ("src/pantile/impl/launch/shape.hpp", "pantile/impl/arch/host/tuning/movement.hpp", False),
            ("src/pantile/impl/tile/shape.hpp", "pantile/impl/arch/host/tuning/machine.hpp", False),
            ("src/lib/blas/copy.cpp", "pantile/impl/arch/host/tuning/movement.hpp", True),
            ("src/lib/c/add.cpp", "pantile/impl/arch/host/tuning/movement.hpp", False),
            ("include/pantile/add.hpp", "pantile/impl/arch/host/tuning/machine.hpp", False),
        ):
            with self.subTest(path=path, include=include):
                self.assert_include(path, include, allowed)

    def test_includes_are_spelt_from_the_root(self):
        self.assert_broken("src/pantile/impl/tile/a.hpp", HEADER + '#include "shape.hpp"\n',
                           "included as <pantile/...>")
        self.assert_broken("unit_tests/a.cpp", SPDX + '#include "../b.hpp"\n', "relative to a parent folder")
        self.assert_clean("unit_tests/a.cpp", SPDX + "#include <support/b.hpp>\n")

    def test_policy_is_plain(self):
        self.assert_broken("include/pantile/policy.hpp", HEADER + "#include <Kokkos_Core.hpp>\n", "no Kokkos")

    def test_machine_macros(self):
        for macro in ("KOKKOS_ENABLE_CUDA", "__CUDA_ARCH__", "__AVX512F__", "__x86_64__"):
            with self.subTest(macro=macro):
                text = f"{HEADER}#if defined({macro})\n#endif\n"
                self.assert_broken("src/pantile/impl/tile/a.hpp", text, f"machine macro {macro}")
                self.assert_broken("include/pantile/matmul.hpp", text, f"machine macro {macro}")
                self.assert_clean("src/pantile/impl/arch/a.hpp", text)
        self.assert_clean("src/pantile/impl/tile/a.hpp", HEADER + "KOKKOS_IF_ON_HOST(())  // not KOKKOS_ENABLE_CUDA\n")

    def test_internals_of_kokkos(self):
        self.assert_broken("src/pantile/impl/arch/a.hpp", HEADER + "using Kokkos::Impl::Thing;\n", "Kokkos::Impl")
        self.assert_broken("src/pantile/impl/arch/a.hpp", HEADER + "#define A KOKKOS_IMPL_B\n", "KOKKOS_IMPL_")

    def test_signatures(self):
        for text in ("template <class Layout = impl::transfer::SameLayout>\nvoid f();\n",
                     "template <class A>\n  requires(impl::fits<A>)\nvoid f(A const& a) {}\n",
                     "void f(Options const& o = {}, impl::matmul::Plan const& plan = impl::plan());\n",
                     "inline impl::Matrix<int> f(int a) {\n  return g(a);\n}\n",
                     "namespace pantile {\nclass Scope {\n public:\n  [[nodiscard]] impl::Plan plan() const;\n};\n}\n",
                     "namespace pantile {\nstruct A {\n  A(int a) : m(a) {}\n  void f(impl::B b) { g(b); }\n};\n}\n"):
            with self.subTest(text=text):
                self.assert_broken("include/pantile/transfer.hpp", HEADER + text, "impl:: in the signature")
                self.assert_clean("src/pantile/impl/transfer/call.hpp", HEADER + text)
        for text in ("void f() { impl::f(); }  // requires impl::g\n",
                     "using A = typename impl::A<int>::type;\nA f(A const& a) {\n  impl::B b(a);\n  return b.a();\n}\n",
                     "class A {\n  impl::B f(int a);\n public:\n  A(int a) : m(impl::b(a)) {}\n\n private:\n"
                     "  impl::B g(int a);\n};\n",
                     "namespace pantile::detail {\nimpl::B f(int a);\n}\nstruct C : impl::D {\n  void f();\n};\n",
                     "template <class T>\nconcept A = requires(T const& t) {\n  impl::f(t);\n};\nint f(int a = 3);\n"):
            with self.subTest(text=text):
                self.assert_clean("include/pantile/transfer.hpp", HEADER + text)

    def test_leftovers(self):
        for text in ("// TODO later\n", "// FIXME\n", "#if 0\n#endif\n"):
            with self.subTest(text=text):
                self.assert_broken("examples/a.cpp", SPDX + text, "leftover")

    def test_frame(self):
        self.assert_broken("src/pantile/impl/tile/a.hpp", "#pragma once\n", "SPDX")
        self.assert_broken("cmake/a.cmake", "set(A 1)\n", "SPDX")
        self.assert_broken("src/pantile/impl/tile/a.hpp", SPDX, "#pragma once is missing")
        self.assert_clean("src/pantile/impl/tile/instances.hpp", SPDX)
        self.assert_clean("scripts/a.py", "#!/usr/bin/env python3\n" + SPDX.replace("//", "#"))

    def test_length(self):
        lines = "int a;\n"
        self.assert_clean("include/pantile/a.hpp", HEADER + lines * 197)
        self.assert_broken("include/pantile/a.hpp", HEADER + lines * 198, "201 lines, the limit below include/ is 200")
        self.assert_clean("src/pantile/impl/tile/a.hpp", HEADER + lines * 347)
        self.assert_broken("src/pantile/impl/tile/a.hpp", HEADER + lines * 348, "351 lines")

    def test_columns(self):
        wide = "int const number = " + "1 + " * 25
        self.assert_clean("unit_tests/a.cpp", SPDX + wide[:119] + ";\n")
        self.assert_broken("unit_tests/a.cpp", SPDX + wide.ljust(120, "1") + ";\n", "121 columns, the limit is 120")
        off = "// clang-format off\n" + wide.ljust(120, "1") + ";\n// clang-format on\n"
        self.assert_broken("unit_tests/a.cpp", SPDX + off, "121 columns")
        for path in ("unit_tests/a.cu", "scripts/a", "scripts/a.sh", "cmake/a.cmake", "src/CMakeLists.txt",
                     "unit_tests/a.py", "src/a.c"):  # fmt: skip
            with self.subTest(path=path):
                self.assert_clean(path, SPDX + "x" * 120 + "\n")
                self.assert_broken(path, SPDX + "x" * 121 + "\n", "121 columns, the limit is 120")

    def test_lengths_of_functions(self):
        def of(lines, head="template <class T>\nint f(T const& x) const {\n"):
            return (HEADER + "#if defined(A)\n#endif\nnamespace a {\nstruct B {\n" + head
                    + '  g("{");  // }\n' * (lines - 2) + "}\n};\n}\n")

        self.assert_clean("src/pantile/impl/tile/a.hpp", of(60))
        self.assert_broken("src/pantile/impl/tile/a.hpp", of(61), "a function of 61 lines, the limit is 60")
        self.assert_clean("src/pantile/impl/tile/a.hpp", of(61, "struct C {\n"))
        self.assert_clean("unit_tests/a.cpp", of(61))

    def test_comments(self):
        def of(lines, mark):
            return HEADER + f"  {mark} What it is.\n" * lines + "int a;\n"

        for path in ("src/pantile/impl/tile/a.hpp", "src/lib/a.cpp", "src/driver/a.hpp"):
            for mark in ("//", "///"):
                with self.subTest(path=path, mark=mark):
                    self.assert_clean(path, of(3, mark))
                    self.assert_clean(path, of(3, mark) + of(3, mark).removeprefix(HEADER))
                    self.assert_broken(path, of(4, mark), ":4: a comment of 4 lines, the limit is 3")
        self.assert_clean("include/pantile/a.hpp", of(4, "///"))
        self.assert_broken("include/pantile/a.hpp", of(4, "//"), "a comment of 4 lines")
        self.assert_broken("src/lib/a.cpp", SPDX + "int a;\n" + "// More.\n" * 4, "a comment of 4 lines")
        self.assert_clean("unit_tests/a.cpp", of(4, "//").replace("#pragma once\n", ""))

    def test_numbers_have_notes(self):
        def broken(machine, text, note):
            name = "host/tuning/gemm" if machine == "host" else f"{machine}/tuning"
            return broken_rules({f"src/pantile/impl/arch/{name}.hpp": HEADER + text,
                                 "perf_tests/notes/tuning.md": note})

        note = "perf_tests/notes/tuning.md does not say"
        text = ("/// Bytes; not = this.\ninline constexpr double near_bytes = 2 * most(1, 2),\n"
                "    far_bytes = 4, far = 1 << 2;  // no = note\n")
        self.assertEqual(broken("host", text, "- `near_bytes`, `far_bytes`, and `far`: estimates.\n"), [])
        elsewhere = broken_rules({"perf_tests/notes/matmul.md": "`near_bytes`", "src/pantile/impl/arch/host/tuning/"
                                  "mpi.hpp": HEADER + "constexpr int near_bytes = 2;\n"})
        self.assertEqual(len(elsewhere), 1, elsewhere)
        found = broken("host", text, "`near_bytes_too`, far-away\n")
        self.assertEqual(len(found), 2, found)
        self.assertIn("src/pantile/impl/arch/host/tuning/gemm.hpp:5: near_bytes: " + note, found[0])
        self.assertIn("src/pantile/impl/arch/host/tuning/gemm.hpp:6: far_bytes: " + note, found[1])
        device = "inline constexpr DeviceTuning tuning{.memory_bytes = 14, .least_fill = 0.85};\n"
        common = "src/pantile/impl/arch/device_tuning.hpp"
        self.assert_broken(common, HEADER + "inline constexpr int team_size = 2;\n", "team_size: " + note)
        for machine in ("cuda", "hip"):
            with self.subTest(machine=machine):
                self.assertEqual(broken(machine, device, "`memory_bytes`, `least_fill`"), [])
                found = broken(machine, device, "`memory_bytes`")
                self.assertEqual(len(found), 1, found)
                self.assertIn("least_fill: " + note, found[0])

    def test_examples_stand_beside_their_documents(self):
        def broken(program, page, name="07_tiles"):
            return broken_rules({f"examples/{name}/{name}.cpp": SPDX + program, "examples/documents.md": page})

        table = "\n## 07_tiles\n\n| kernel | here | mended |\n|---|---|---|\n| waits | `barrier` | |\n"
        mended = table + "| loads | `tile` | beyond the end |\n"
        mark, other = "// MENDED: it loads beyond.\n", "\n## 08_more\n\n| a | b | c |\n|---|---|---|\n| d | e | f |\n"
        self.assertEqual(broken("", table), [])
        self.assertEqual(broken(mark, mended + other), [])
        for program, page, found in (("", mended, (0, 1)), (mark, table + other, (1, 0)), (mark * 2, mended, (2, 1)),
                                     ("", other, (0, 0)), ("", "", (0, 0))):  # fmt: skip
            with self.subTest(program=program, page=page):
                rule = "{} times MENDED, {} in examples/documents.md".format(*found)
                self.assertEqual(broken(program, page), [f"examples/07_tiles/07_tiles.cpp:1: {rule}"])
        for other_name in ("15_explain", "22_dask"):
            self.assertEqual(broken("", "", other_name), [])


if __name__ == "__main__":
    unittest.main()
