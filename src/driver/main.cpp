// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pantile: the library's operations from files to files. `pantile --help` says what there is.
// Exit status: 0 done, 1 the files or the request cannot be done or a check failed, 2 wrong usage.

#include "command_line.hpp"
#include "commands/commands.hpp"
#include "errors.hpp"
#include "io/file_stream.hpp"
#include "session.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace {

using namespace pantile::driver;

/// One sentence on stderr, whatever the exception says in more lines.
int fail(int status, std::string_view sentence) {
  std::fflush(stdout);
  sentence = sentence.substr(0, sentence.find('\n'));
  std::fprintf(stderr, "pantile: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
  return status;
}

/// Where a standard stream is closed, the first file that is opened would take its place and get what is printed.
/// Opened the wrong way round, its use stays the error that it was.
void occupy_closed_streams() {
  for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) == -1) (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int run(int argc, char** argv) {
  auto const request = parse_command_line(argc, argv);
  if (auto const* help = std::get_if<Help>(&request)) {
    std::fputs(help->text.c_str(), stdout);
  } else {
    std::visit(
        [](auto const& arguments) {
          Session session(arguments.common);
          run_command(arguments, session);
        },
        std::get<Arguments>(request));
  }
  bool const printed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  return printed ? 0 : fail(1, "cannot write to the standard output");
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  remove_temporaries_on_signals();
  try {
    return run(argc, argv);
  } catch (UsageError const& error) {
    return fail(2, error.what());
  } catch (std::bad_alloc const&) {
    return fail(1, "there is not enough memory");
  } catch (std::exception const& error) {
    return fail(1, error.what());
  } catch (...) {
    return fail(1, "an unknown exception ended the program");
  }
}
