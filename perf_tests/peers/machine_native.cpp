// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Compiled for the machine that compiles it (-march=native); one thread each.
#include <peers/machine_native.hpp>

#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace pantile::perf::machine {

namespace {

#if defined(__AVX512F__)
constexpr std::size_t width = 64;
#elif defined(__AVX__)
constexpr std::size_t width = 32;
#else
constexpr std::size_t width = 16;
#endif

template <class T>
using Vector [[gnu::vector_size(width)]] = T;

/// Two pipes of latency four or five need eight to ten chains; sixteen registers hold no more than twelve beside the
/// factors.
constexpr int chains = 12;

template <class T>
Vector<T> load(T const* from) {
  Vector<T> value;
  std::memcpy(&value, from, width);
  return value;
}

/// `to` is aligned to the width. A store past the caches where there is one.
template <class V>
void stream_store(void* to, V const& value) {
#if defined(__AVX512F__)
  _mm512_stream_si512(static_cast<__m512i*>(to), reinterpret_cast<__m512i>(value));
#elif defined(__AVX__)
  _mm256_stream_si256(static_cast<__m256i*>(to), reinterpret_cast<__m256i>(value));
#elif defined(__SSE2__)
  _mm_stream_si128(static_cast<__m128i*>(to), reinterpret_cast<__m128i>(value));
#else
  std::memcpy(to, &value, sizeof value);
#endif
}

void order_stores() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// Elements before the first aligned one.
template <class T>
std::size_t misaligned(T const* pointer, std::size_t count) {
  std::size_t const over = reinterpret_cast<std::uintptr_t>(pointer) % width;
  std::size_t const elements = over == 0 ? 0 : (width - over) / sizeof(T);
  return elements < count ? elements : count;
}

}  // namespace

std::size_t vector_bytes() { return width; }

template <class T>
double multiply_adds(std::int64_t steps, T& result) {
  constexpr std::size_t lanes = width / sizeof(T);
  Vector<T> sums[chains];
  for (int chain = 0; chain < chains; ++chain) sums[chain] = Vector<T>{} + T(chain);
  // Read through a volatile, so that nothing is computed beforehand. The sums tend to 1.
  T const volatile factor_source = T(0.5);
  Vector<T> const factor = Vector<T>{} + factor_source, term = factor;
  for (std::int64_t step = 0; step < steps; ++step) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 12
#endif
    for (int chain = 0; chain < chains; ++chain) sums[chain] = sums[chain] * factor + term;
  }
  Vector<T> total{};
  for (Vector<T> const& sum : sums) total += sum;
  result = total[0];
  return 2.0 * chains * static_cast<double>(lanes) * static_cast<double>(steps);
}

void copy(void* target, void const* source, std::size_t bytes) { std::memcpy(target, source, bytes); }

void stream_copy(void* target, void const* source, std::size_t bytes) {
  auto* const to = static_cast<unsigned char*>(target);
  auto const* const from = static_cast<unsigned char const*>(source);
  std::size_t i = misaligned(to, bytes);
  std::memcpy(to, from, i);
  for (; i + width <= bytes; i += width) stream_store(to + i, load(from + i));
  std::memcpy(to + i, from + i, bytes - i);
  order_stores();
}

template <class T>
void add(T* c, T const* a, T const* b, T alpha, T beta, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) c[i] = alpha * a[i] + beta * b[i];
}

template <class T>
void stream_add(T* c, T const* a, T const* b, T alpha, T beta, std::size_t count) {
  std::size_t i = misaligned(c, count);
  add(c, a, b, alpha, beta, i);
  Vector<T> const alphas = Vector<T>{} + alpha, betas = Vector<T>{} + beta;
  constexpr std::size_t lanes = width / sizeof(T);
  for (; i + lanes <= count; i += lanes) stream_store(c + i, alphas * load(a + i) + betas * load(b + i));
  add(c + i, a + i, b + i, alpha, beta, count - i);
  order_stores();
}

template double multiply_adds<float>(std::int64_t, float&);
template double multiply_adds<double>(std::int64_t, double&);
template void add<float>(float*, float const*, float const*, float, float, std::size_t);
template void add<double>(double*, double const*, double const*, double, double, std::size_t);
template void stream_add<float>(float*, float const*, float const*, float, float, std::size_t);
template void stream_add<double>(double*, double const*, double const*, double, double, std::size_t);

}  // namespace pantile::perf::machine
