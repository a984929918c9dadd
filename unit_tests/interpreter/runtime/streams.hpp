// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Streams that work as late as synchronisation permits: what is put into one is a promise that is kept when
///        somebody waits for it, so that a fence that is missing shows every time. A seed has other streams get ahead
///        meanwhile.

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace pantile_interpreter::runtime {

/// One operation of a stream. It runs once, after all that it waits for.
class Operation {
 public:
  using Pointer = std::shared_ptr<Operation>;

  Operation(std::function<void()> work, std::vector<Pointer> after)
      : m_work(std::move(work)), m_after(std::move(after)) {}
  [[nodiscard]] bool done() const { return m_done; }

 private:
  friend class Streams;
  std::function<void()> m_work;
  std::vector<Pointer> m_after;
  bool m_done = false;
};

/// A queue: its last operation leads to all before it.
class Stream {
 public:
  /// A blocking stream and the legacy default stream wait for each other.
  explicit Stream(bool blocking, int priority = 0) : m_blocking(blocking), m_priority(priority) {}
  [[nodiscard]] bool blocking() const { return m_blocking; }
  [[nodiscard]] int priority() const { return m_priority; }

 private:
  friend class Streams;
  bool m_blocking;
  int m_priority;
  Operation::Pointer m_last;
  std::vector<Operation::Pointer> m_next_waits_for;
};

/// When the operations of streams run.
enum class When { late, at_once };

/// All streams of the device. Not safe for several threads: the runtime holds its lock.
class Streams {
 public:
  /// Without a seed nothing runs that nobody waits for. With one, streams that nobody waits for do some of their work
  /// too.
  explicit Streams(When when, std::uint64_t seed = 0) : m_when(when), m_seeded(seed != 0), m_random(seed) {}

  /// The legacy default stream.
  [[nodiscard]] Stream& legacy() { return m_legacy; }
  Stream* create(bool blocking, int priority = 0);
  /// What is in it still runs. False for a stream that is not there.
  bool destroy(Stream* stream);
  [[nodiscard]] bool exists(Stream const* stream) const;

  /// Puts work behind what is in the stream, and by the legacy default stream's rules behind the others'.
  Operation::Pointer add(Stream& stream, std::function<void()> work);
  /// What is put into the stream from now on waits for the operation.
  void wait_for(Stream& stream, Operation::Pointer const& operation);

  /// Runs what the stream holds, the operation with all before it, everything.
  void finish(Stream& stream);
  void finish(Operation::Pointer const& operation);
  void finish_all();
  /// Runs one operation that the stream or the operation needs; true when none was left. Who asks again and again gets
  /// on.
  bool advance(Stream& stream);
  bool advance(Operation::Pointer const& operation);

 private:
  void get_ahead();
  void finish_chain(Operation::Pointer const& operation);

  When m_when;
  bool m_seeded;
  std::mt19937_64 m_random;
  Stream m_legacy{true};
  std::vector<std::unique_ptr<Stream>> m_streams;
  std::vector<Operation::Pointer> m_orphans;  // the last of destroyed streams
};

}  // namespace pantile_interpreter::runtime
