# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The house rules as data: who may include whom, where machine macros may stand, how long files may be."""

# Public headers that are plain words of the library; everything else in include/pantile is a face.
CORE = {"concepts", "config", "element", "error", "explain", "matrix_pointers", "names", "out_of_core_plan", "policy",
        "tile_store", "transfer_report", "version"}  # fmt: skip

# What a public header that is no face may see of src/pantile/impl: which number types the compiler has.
CORE_INCLUDES = {"element": {"types"}}

# Faces whose implementation is in a room of another name.
FACE_ROOMS = {"transfer_scope": "transfer", "pinned": "transfer", "pipeline": "transfer",
              "file_store": "out_of_core", "view_store": "out_of_core"}  # fmt: skip

# Faces that build on other faces.
FACE_INCLUDES = {
    "transfer": {"pinned"},
    "transfer_scope": {"transfer"},
    "pipeline": {"transfer", "transfer_scope"},
    "auto_synchronize": set(),
    "operands": {"add", "matmul", "transpose"},
    "data_operands": {"fill", "histogram", "operands", "reverse", "transfer"},
    "mdspan": {"data_operands", "operands"},
    "dual_view": {"data_operands", "operands"},
    "linalg": {"operands", "mdspan"},
    "out_of_core": {"file_store", "view_store"},
}

# Rooms of src/pantile/impl that call faces.
ROOM_FACES = {"linalg": {"add", "matmul", "transpose"}, "out_of_core": {"matmul", "transfer", "transpose"}}

# Rooms of src/pantile/impl that are no operation, and the rooms each may include beside core and itself.
SHARED_ROOMS = {
    "arch": set(),
    "view": {"kokkos_ext"},
    "kokkos_ext": set(),
    "compiler_ext": set(),
    "tile": {"view", "kokkos_ext", "compiler_ext"},
    "launch": {"arch", "tile", "view", "kokkos_ext", "compiler_ext"},
    "backend": {"view"},
}

# What an operation's room may include beside core and itself. A copy to another layout is a transposition.
OPERATION = {"arch", "tile", "view", "kokkos_ext", "compiler_ext", "launch", "backend"}
OPERATION_OF = {"transfer": OPERATION | {"transpose"}}

# Of arch, everybody else sees these headers only, and of the host's micro-kernels (functions, table) for each
# operation: the folders of the machines stay behind them. src/lib/isa, which compiles the kernels, sees all of it.
ARCH_DOORS = {
    "async_copy", "byte_permute", "caches", "current", "device_tile", "device_tuning", "functions", "kernel_tag",
    "machine", "matrix_multiply", "spaces", "spin", "table", "warp_shuffle",
}  # fmt: skip

# Headers of a host's numbers, arch/host/tuning, and where each may be included: what another operation changes compiles
# nothing here. Those of "machine" are for all that see arch.
TUNING_FOLDER = "pantile/impl/arch/host/tuning/"
TUNING_USERS = {
    "machine": ("src/",),
    "gemm": ("src/pantile/impl/arch/host/ukernel/gemm/", "src/pantile/impl/matmul/"),
    "matmul": ("src/pantile/impl/matmul/", "src/lib/blas/"),
    "movement": ("src/pantile/impl/arch/host/ukernel/transpose/", "src/pantile/impl/add/",
                 "src/pantile/impl/transpose/", "src/lib/blas/"),
    "histogram": ("src/pantile/impl/arch/host/ukernel/histogram/", "src/pantile/impl/histogram/"),
    "transfer": ("src/pantile/impl/transfer/",),
    "out_of_core": ("src/pantile/impl/out_of_core/",),
    "mpi": ("src/pantile/impl/mpi/", "src/lib/mpi/"),
}  # fmt: skip

# What the faces for use inside kernels may include beside core and each other.
TEAM = {"tile", "view"}

# Rooms behind the faces of src/lib/blas, which calls the host's matmul without a face where there is little work, of
# src/lib/c, and of pantile/mpi, whose room and library are on top of the other faces.
LIBRARY_ROOMS = {"blas": {"arch", "kokkos_ext", "view", "matmul"}, "c_face": {"kokkos_ext"}, 
                 "mpi": {"arch", "kokkos_ext", "mpi", "transfer", "view"}}  # fmt: skip

# A face sees its own room, and of view the placeholder for a deduced accumulator.
FACE = {"view"}

# Rooms that may ask which machine they are compiled for.
MACHINE_ROOMS = (
    "src/pantile/impl/arch/", "src/pantile/impl/kokkos_ext/", "src/pantile/impl/compiler_ext/",
    "src/pantile/impl/backend/", "src/lib/isa/", "src/lib/blas/calling_thread.hpp",
)  # fmt: skip
MACHINE_MACRO = (
    r"\b(KOKKOS_ENABLE_\w+|KOKKOS_ARCH_\w+|__CUDA_ARCH__|__CUDACC__|__NVCC__|__HIPCC__|__HIP_DEVICE_COMPILE__|"
    r"__HIP_PLATFORM_\w+|__AVX\w*__|__SSE\w*__|__FMA__|__ARM_\w+|__x86_64__|__aarch64__|_OPENMP)\b"
)
# Macros of Kokkos that carry the prefix and are no question to a machine.
MACHINE_MACRO_EXCEPTIONS = set()

KOKKOS_INTERNAL = r"\bKokkos::Impl\b|\bKOKKOS_IMPL_\w+"

# In what declares a function of a face: template parameters, constraints, return type, parameters.
IMPL_IN_SIGNATURE = r"\bimpl::"

LEFTOVER = r"\bTODO\b|\bFIXME\b|\bXXX\b|^\s*#\s*if\s+0\b"

LINES = {"include/": 200, "src/pantile/impl/": 350}
FUNCTION_LINES = {"include/": 60, "src/": 60}
# Loops around what must be inlined in one piece.
LONG_FUNCTIONS = {"src/pantile/impl/arch/host/ukernel/gemm/micro_kernel.hpp": 66}
# Lines of a comment, in the private code of C and C++, and in faces, whose docstrings are for users, of others.
COMMENT_LINES = 3
PRIVATE, FACES = ("src/",), ("include/",)
# Columns of every file, formatted by clang-format or not.
COLUMNS = 120

# Headers of numbers that were measured, and the note that names each.
TUNING_NOTE = "perf_tests/notes/tuning.md"
TUNING = [*(f"src/{TUNING_FOLDER}{name}.hpp" for name in TUNING_USERS),
          *(f"src/pantile/impl/arch/{machine}/tuning.hpp" for machine in ("cuda", "hip")),
          "src/pantile/impl/arch/device_tuning.hpp"]

# Source files of these kinds begin with the two SPDX lines (after a shebang).
SPDX_ENDINGS = (".hpp", ".cpp", ".cu", ".h", ".c", ".f90", ".F90", ".inc", ".cmake", ".py", ".sh", ".in",
                "CMakeLists.txt")  # fmt: skip
SPDX_FOLDERS = ("include", "src", "unit_tests", "perf_tests", "examples", "cmake", "scripts")
