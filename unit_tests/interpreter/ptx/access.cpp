// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of one element or of two or four beside each other. Instruction::mode says whether they are strong.
#include <interpreter/ptx/spaces.hpp>
#include <interpreter/ptx/traffic.hpp>
#include <interpreter/ptx/typed.hpp>

#include <cstring>

namespace pantile_interpreter::ptx {

namespace {

// The register may be wider than the element, whose sign it then extends.
template <class T, class Register, unsigned count>
void load(Warp& warp, Instruction const& instruction, Mask lanes) {
  constexpr unsigned bytes = sizeof(T) * count;
  unsigned const slot = instruction.source(0);
  if (warp.cta->traffic != nullptr) [[unlikely]]
    count_access(warp, instruction, lanes, slot, bytes, Touch::read);
  for_lanes(lanes, [&](unsigned lane) {
    std::uint64_t const address = address_of(warp, slot, instruction.narrow, instruction.offset, lane);
    unsigned char const* const from =
        bytes_at<bytes>(warp, instruction, {lane, address, instruction.space, instruction.mode != 0}, Touch::read);
    for (unsigned k = 0; k < count; ++k) {
      T value;
      std::memcpy(&value, from + sizeof(T) * k, sizeof(T));
      warp.lanes<Register>(instruction.operand[k])[lane] = static_cast<Register>(value);
    }
  });
}

template <class T, class Register, unsigned count>
void store(Warp& warp, Instruction const& instruction, Mask lanes) {
  constexpr unsigned bytes = sizeof(T) * count;
  unsigned const slot = instruction.source(count);
  if (warp.cta->traffic != nullptr) [[unlikely]]
    count_access(warp, instruction, lanes, slot, bytes, Touch::write);
  for_lanes(lanes, [&](unsigned lane) {
    std::uint64_t const address = address_of(warp, slot, instruction.narrow, instruction.offset, lane);
    T values[count];
    for (unsigned k = 0; k < count; ++k) {
      values[k] = static_cast<T>(warp.lanes<Register>(instruction.source(k))[lane]);
    }
    std::memcpy(bytes_at<bytes>(warp, instruction, {lane, address, instruction.space, instruction.mode != 0},
                                Touch::write, values),
                values, bytes);
  });
}

struct Form {
  bool loads = true;
  unsigned register_bytes = 4, count = 1;
};

template <class T, class Register>
Handler of_count(Form const& form) {
  switch (form.count) {
    case 1: return form.loads ? load<T, Register, 1> : store<T, Register, 1>;
    case 2: return form.loads ? load<T, Register, 2> : store<T, Register, 2>;
    case 4:
      if constexpr (sizeof(T) < 8) return form.loads ? load<T, Register, 4> : store<T, Register, 4>;
      return nullptr;
    default: return nullptr;
  }
}

template <class T>
Handler of_register(Form const& form) {
  if (form.register_bytes == 8) return of_count<T, std::uint64_t>(form);
  if constexpr (sizeof(T) <= 4) {
    if (form.register_bytes == 4) return of_count<T, std::uint32_t>(form);
  }
  if constexpr (sizeof(T) <= 2) {
    if (form.register_bytes == 2) return of_count<T, std::uint16_t>(form);
  }
  return nullptr;
}

Handler handler_of(Type type, Form const& form) {
  switch (type) {
    case Type::s8: return of_register<std::int8_t>(form);
    case Type::s16: return of_register<std::int16_t>(form);
    case Type::s32: return of_register<std::int32_t>(form);
    default: break;
  }
  switch (bytes_of(type)) {
    case 1: return of_register<std::uint8_t>(form);
    case 2: return of_register<std::uint16_t>(form);
    case 4: return of_register<std::uint32_t>(form);
    case 8: return of_register<std::uint64_t>(form);
    default: return nullptr;
  }
}

void pass_to_call(Warp& warp, Instruction const& instruction, Mask lanes) {
  warp.fault(instruction, static_cast<unsigned>(std::countr_zero(lanes)), "the interpreter does not know calls");
}

bool is_strong(Operation const& operation) {
  return operation.has("volatile") || operation.has("relaxed") || operation.has("acquire") || operation.has("release");
}

}  // namespace

bool decode_access(Decoder& decoder, Operation const& operation) {
  bool const loads = operation.base() == "ld" || operation.base() == "ldu";
  if (!loads && operation.base() != "st") return false;
  if (operation.types.size() != 1 || operation.operands.size() != 2 ||
      !operation.only({"global",   "shared",  "local",   "param", "const", "v2",  "v4",  "volatile",
                       "relaxed",  "acquire", "release", "weak",  "cta",   "gpu", "sys", "nc",
                       "ca",       "cg",      "cs",      "lu",    "cv",    "wb",  "wt",  "L1::no_allocate",
                       "L2::128B", "L2::256B"})) {
    return false;
  }
  Instruction& to = decoder.instruction();
  std::string_view const elements = operation.operands[loads ? 0 : 1], address = operation.operands[loads ? 1 : 0];
  if (operation.has("param") && decoder.is_of_a_call(address)) {
    to.handler = pass_to_call;
    return true;
  }
  Form form{loads, decoder.register_bytes(elements), operation.has("v2") ? 2U : operation.has("v4") ? 4U : 1U};
  // What is stored may be a number.
  if (!loads && form.register_bytes == 0)
    form.register_bytes = static_cast<unsigned>(std::max<std::size_t>(2, bytes_of(operation.type())));
  to.space = space_of(operation);
  to.type = operation.type();
  to.mode = is_strong(operation) ? 1 : 0;
  to.handler = handler_of(to.type, form);
  if (loads) {
    decoder.destination(elements);
  } else {
    decoder.source(elements, to.type);
  }
  decoder.address(address);
  return true;
}

}  // namespace pantile_interpreter::ptx
