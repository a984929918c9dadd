// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command_table.hpp"

namespace pantile::driver {

namespace {

/// Text for roff: no character of it is taken for a command, and dashes are those of a keyboard.
std::string roff(std::string_view text) {
  std::string result;
  for (char const c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string entry(OptionInfo const& option) {
  std::string text = ".TP\n";
  for (std::string const& name : option.names) {
    text += (&name == &option.names.front() ? "" : ", ") + ("\\fB" + roff(name)) + "\\fR";
  }
  if (!option.value.empty() && !option.is_operand()) text += " \\fI" + roff(option.value) + "\\fR";
  return text + "\n" + roff(option.help) + "\n";
}

constexpr std::string_view introduction = R"(.SH NAME
pantile \- dense 2D kernels on Kokkos, from files to files
.SH SYNOPSIS
.B pantile
.I command
.RI [ operand ...]
.RI [ option ...]
.SH DESCRIPTION
Reads matrices, computes with one operation of the library Pantile, and writes
the result; says how long each step took, which way was chosen and why.
.PP
Files are .npy or Matrix Market (.mtx, .mm), and in builds with HDF5 datasets,
.IR file.h5:/path .
An operand
.B \-
is an .npy stream on the standard input, an output
.B \-
one on the standard output; what is said then goes to the standard error.
.PP
What follows
.B \-\-
is an operand though it begins with a dash, as in
.BR "pantile transpose \-o b.npy \-\- \-a.npy" .
.PP
A result appears whole or not at all: it is written to a file .pantile-*.tmp in
the same folder, which gets its name once it is on the disk.
Such a file is left over from a run that was killed.
.PP
.B matmul
and
.B transpose
of .npy files whose operands and result need more memory than
.B \-\-memory
go through them tile by tile.
What is done then lies in .pantile-NAME.tmp beside the result NAME, and
\&.pantile-NAME.journal says which tiles are on the disk.
Both stay when the run is ended, and with
.B \-\-resume
the same command goes on after these tiles; the inputs, the options and the
memory must be the same, and of products that are rounded Pantile's version and
the instruction set, of which the environment variable PANTILE_ISA takes a
narrower one than the processor's best.
Without it, it begins anew.
)";

constexpr std::string_view end = R"(.SH ENVIRONMENT
.TP
OMP_NUM_THREADS, KOKKOS_NUM_THREADS
threads of the host backend, where
.B \-\-threads
names no number
.TP
OMP_PROC_BIND, OMP_PLACES
which cores they are bound to, as OpenMP has it
.TP
PANTILE_ISA
a narrower instruction set than the processor's best: generic, neon, avx2,
avx512, avx512vnni or avx512bf16; another name is ignored, with a line on
standard error
.TP
KOKKOS_DEVICE_ID, KOKKOS_MAP_DEVICE_ID_BY
which device computes, where there are several
.TP
KOKKOS_DISABLE_WARNINGS, KOKKOS_PRINT_CONFIGURATION, KOKKOS_TUNE_INTERNALS
Kokkos' own; a value that Kokkos does not know is refused
.SH EXIT STATUS
.TP
0
done
.TP
1
the files or the request cannot be done, or a check failed
.TP
2
wrong usage
.SH EXAMPLES
.EX
pantile matmul a.npy b.npy -o c.npy --verify
pantile transpose - -o - < a.npy | pantile add - b.npy -o c.npy
pantile histogram samples.npy --bins 256 -o counts.npy --report -
pantile ladder --m 1024 --n 1024 --k 1024
.EE
)";

}  // namespace

std::string man_page(CommandTable const& table) {
  std::string text =
      ".\\\" SPDX-FileCopyrightText: Pantile contributors\n"
      ".\\\" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
      ".\\\" Written by pantile --man.\n"
      ".TH PANTILE 1\n" +
      std::string(introduction);
  auto const section = [&](std::string const& head, CommandInfo const& command) {
    text += head + "\n";
    for (OptionInfo const& option : command.options) text += entry(option);
  };
  section(".SH OPTIONS", table.program);
  text += ".SH COMMANDS\n";
  for (CommandInfo const& command : table.commands) {
    section(".SS pantile " + command.name + "\n" + roff(command.help), command);
  }
  return text + std::string(end);
}

}  // namespace pantile::driver
