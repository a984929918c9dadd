// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/runtime/streams.hpp>

#include <algorithm>
#include <utility>

namespace pantile_interpreter::runtime {

Stream* Streams::create(bool blocking, int priority) {
  m_streams.push_back(std::make_unique<Stream>(blocking, priority));
  return m_streams.back().get();
}

bool Streams::exists(Stream const* stream) const {
  return stream == &m_legacy ||
         std::any_of(m_streams.begin(), m_streams.end(), [&](auto const& other) { return other.get() == stream; });
}

bool Streams::destroy(Stream* stream) {
  auto const found =
      std::find_if(m_streams.begin(), m_streams.end(), [&](auto const& other) { return other.get() == stream; });
  if (found == m_streams.end()) return false;
  std::erase_if(m_orphans, [](auto const& operation) { return operation->done(); });
  if (stream->m_last && !stream->m_last->done()) m_orphans.push_back(stream->m_last);
  m_streams.erase(found);
  return true;
}

Operation::Pointer Streams::add(Stream& stream, std::function<void()> work) {
  std::vector<Operation::Pointer> after = std::move(stream.m_next_waits_for);
  stream.m_next_waits_for.clear();
  after.push_back(stream.m_last);
  if (&stream == &m_legacy) {
    for (auto const& other : m_streams) {
      if (other->blocking()) after.push_back(other->m_last);
    }
    after.insert(after.end(), m_orphans.begin(), m_orphans.end());
  } else if (stream.blocking()) {
    after.push_back(m_legacy.m_last);
  }
  std::erase_if(after, [](auto const& operation) { return !operation || operation->done(); });
  stream.m_last = std::make_shared<Operation>(std::move(work), std::move(after));
  if (m_when == When::at_once) finish_chain(stream.m_last);
  return stream.m_last;
}

void Streams::wait_for(Stream& stream, Operation::Pointer const& operation) {
  if (operation && !operation->done()) stream.m_next_waits_for.push_back(operation);
}

bool Streams::advance(Operation::Pointer const& operation) {
  if (!operation || operation->done()) return true;
  Operation* next = operation.get();
  for (;;) {
    auto const open =
        std::find_if(next->m_after.begin(), next->m_after.end(), [](auto const& o) { return !o->done(); });
    if (open == next->m_after.end()) break;
    next = open->get();
  }
  next->m_done = true;  // an operation that fails is not tried again
  next->m_after.clear();
  auto const work = std::move(next->m_work);
  if (work) work();
  return operation->done();
}

void Streams::get_ahead() {
  if (!m_seeded) return;
  constexpr std::uint64_t most = 4;  // operations at a time
  for (std::size_t k = 0; k <= m_streams.size(); ++k) {
    Stream& stream = k == m_streams.size() ? m_legacy : *m_streams[k];
    for (std::uint64_t steps = m_random() % (most + 1); steps > 0; --steps) {
      if (advance(stream)) break;
    }
  }
}

void Streams::finish(Operation::Pointer const& operation) {
  if (!operation || operation->done()) return;
  get_ahead();
  finish_chain(operation);
}

void Streams::finish_chain(Operation::Pointer const& operation) {
  // A chain can be as long as a program: what it waits for goes on a stack, not into calls.
  std::vector<Operation::Pointer> stack{operation};
  while (!stack.empty()) {
    Operation::Pointer const top = stack.back();
    if (!top || top->done()) {
      stack.pop_back();
      continue;
    }
    auto const open = std::find_if(top->m_after.begin(), top->m_after.end(), [](auto const& o) { return !o->done(); });
    if (open != top->m_after.end()) {
      stack.push_back(*open);
    } else {
      advance(top);
    }
  }
}

void Streams::finish(Stream& stream) {
  auto const waits_for = stream.m_next_waits_for;
  finish(stream.m_last);
  for (auto const& operation : waits_for) finish(operation);
}

bool Streams::advance(Stream& stream) {
  if (!advance(stream.m_last)) return false;
  return std::all_of(stream.m_next_waits_for.begin(), stream.m_next_waits_for.end(),
                     [](auto const& operation) { return operation->done(); });
}

void Streams::finish_all() {
  for (auto const& operation : std::exchange(m_orphans, {})) finish(operation);
  for (std::size_t k = m_streams.size(); k-- > 0;) finish(*m_streams[k]);
  finish(m_legacy);
}

}  // namespace pantile_interpreter::runtime
