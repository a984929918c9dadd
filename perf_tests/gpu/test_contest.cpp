// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Do the contests' checks refuse wrong results, and what does a contest write?
#include <gpu/gemm.hpp>

#include <gmock/gmock.h>

namespace {

using namespace pantile::perf;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::MatmulOptions;
using pantile::Op;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Contests : public ::testing::Test {
 protected:
  void SetUp() override { program().settings = settings_for(Scale::full, true); }
};

Exec instance() { return Exec(); }

template <class T>
DeviceProduct<T> multiplied(Shape const& shape, MatmulOptions const& options = {}) {
  DeviceProduct<T> product(instance(), shape, options);
  pantile::matmul(instance(), 1, product.a(0), product.b(0), 0, product.c(0), options);
  instance().fence();
  return product;
}

template <class View, class T>
void put(View const& view, T value) {
  Kokkos::deep_copy(instance(), Kokkos::subview(view, std::pair(1, 2), std::pair(2, 3)), value);
  instance().fence();
}

TEST_F(Contests, RightProductsPass) {
  EXPECT_EQ(multiplied<float>({8, 8, 300}).judge().wrong, "");
  EXPECT_EQ(multiplied<std::int32_t>({8, 8, 300}).judge().wrong, "");
  MatmulOptions const transposed{.op_a = Op::conjugate_transpose, .op_b = Op::conjugate_transpose};
  EXPECT_EQ(multiplied<Kokkos::complex<double>>({8, 8, 300}, transposed).judge().wrong, "");
}

TEST_F(Contests, OneWrongElementIsFound) {
  auto product = multiplied<double>({8, 8, 300});
  put(product.c(0), 1e-3);
  EXPECT_THAT(product.judge().wrong, HasSubstr("drawn elements are wrong"));
  put(product.c(0), std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(product.judge().wrong, HasSubstr("drawn elements are wrong"));
  auto whole = multiplied<std::int32_t>({8, 8, 300});
  put(whole.c(0), 7);
  EXPECT_THAT(whole.judge().wrong, HasSubstr("drawn elements are wrong"));
}

// In a result of which only a part is drawn.
TEST_F(Contests, WrongEdgesAndTilesAreFound) {
  std::pair<std::int64_t, std::int64_t> const all(0, 300), last(299, 300), sixteenth(144, 160);
  for (auto const& [rows, cols] : {std::pair(last, all), std::pair(all, last), std::pair(sixteenth, sixteenth)}) {
    auto product = multiplied<float>({300, 300, 30});
    Kokkos::deep_copy(instance(), Kokkos::subview(product.c(0), rows, cols), 0.0F);
    EXPECT_THAT(product.judge().wrong, HasSubstr("drawn elements are wrong"));
  }
}

TEST_F(Contests, OneElementFarFromAnotherResultIsFound) {
  auto const product = multiplied<float>({300, 300, 30});
  auto const other = make_matrix<float>(300, 300);
  Kokkos::deep_copy(instance(), other, product.c(0));
  EXPECT_EQ(check_against(instance(), product.c(0), other, 30, pantile::Precision::full).wrong, "");
  auto const one = Kokkos::subview(other, 17, 211);
  float const value = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, one)();
  Kokkos::deep_copy(instance(), one, value + 1e-4F);
  EXPECT_THAT(check_against(instance(), product.c(0), other, 30, pantile::Precision::full).wrong,
              HasSubstr("1 elements are far from"));
}

TEST_F(Contests, ProductsOfTheTransposedOrConjugatedAreFound) {
  MatmulOptions const asked{.op_a = Op::conjugate_transpose};
  DeviceProduct<Kokkos::complex<double>> product(instance(), {8, 8, 8}, asked);
  pantile::matmul(instance(), 1, product.a(0), product.b(0), 0, product.c(0), {.op_a = Op::transpose});
  EXPECT_NE(product.judge().wrong, "");
}

// So many products that the rounding which theory allows for any order is larger than the sum itself.
TEST_F(Contests, LongSumsWithoutAPartAreFound) {
  std::int64_t const k = 1 << 20;
  auto product = multiplied<float>({8, 8, k});
  EXPECT_EQ(product.judge().wrong, "");
  auto other = multiplied<float>({8, 8, k});
  std::pair<std::int64_t, std::int64_t> const most(0, k - k / 100);
  pantile::matmul(instance(), 1, Kokkos::subview(other.a(0), Kokkos::ALL, most),
                  Kokkos::subview(other.b(0), most, Kokkos::ALL), 0, other.c(0));
  EXPECT_THAT(other.judge().wrong, HasSubstr("drawn elements are wrong"));
  Kokkos::deep_copy(instance(), other.c(0), 0.0F);
  EXPECT_THAT(other.judge().wrong, HasSubstr("drawn elements are wrong"));
}

TEST_F(Contests, AnotherOrderOfSummationIsNoDifference) {
  auto product = multiplied<float>({33, 40, 2000});
  ASSERT_EQ(product.judge().wrong, "");
  pantile::matmul(instance(), 1, product.a(0), product.b(0), 0, product.c(0), {.algorithm = Algorithm::naive});
  EXPECT_EQ(product.judge().wrong, "");
}

/// What a library does that computes float in TF32: eleven bits of each operand.
struct Shorten {
  float* data;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    float const pulled = data[i] * 8193.0f;
    data[i] = pulled - (pulled - data[i]);
  }
};

TEST_F(Contests, ProductsRoundedToTensorFloatAreFound) {
  auto product = multiplied<float>({33, 40, 2000});
  ASSERT_EQ(product.judge().wrong, "");
  auto const a = make_matrix<float>(33, 2000);
  Kokkos::deep_copy(instance(), a, product.a(0));
  Kokkos::parallel_for("shorten", Range<Exec>(instance(), 0, 33 * 2000), Shorten{a.data()});
  pantile::matmul(instance(), 1, a, product.b(0), 0, product.c(0));
  EXPECT_THAT(product.judge().wrong, Not(""));
  // Nor are they taken for a first result.
  auto other = multiplied<float>({33, 40, 2000});
  pantile::matmul(instance(), 1, a, other.b(0), 0, other.c(0));
  EXPECT_THAT(other.judge().wrong, HasSubstr("drawn elements are wrong"));
}

Stopwatch idle() {
  return timed(instance(), [] {});
}

std::string line_of(Contest contest, double long_call = 1) {
  return contest
      .run("a/case", {.sample_seconds = 1e-5, .case_seconds = 1e-5, .least_rounds = 1, .long_call = long_call})
      .text();
}

Contest contest_with(std::string const& wrong) {
  Contest contest("GB/s", 1.0);
  contest.plan("a \"plan\"\nof two lines");
  contest.own(idle(), [wrong] { return Verdict{wrong, {{"error", 0.5}}}; });
  contest.peer("other", idle(), [] { return Verdict{}; });
  contest.bound("copy", idle(), 2.0);
  contest.figure("asked", [](Contest const& it) { return it.seconds("other") > 0 ? 3 : 0; });
  return contest;
}

TEST_F(Contests, AContestIsALineOfJson) {
  std::string const line = line_of(contest_with(""));
  EXPECT_THAT(line, HasSubstr(R"({"case": "a/case", "unit": "GB/s", "pantile": )"));
  EXPECT_THAT(line, HasSubstr(R"("peers": {"other": )"));
  EXPECT_THAT(line, HasSubstr(R"("bounds": {"copy": )"));
  EXPECT_THAT(line, ContainsRegex(R"("samples": \{"pantile": \[[0-9.e+, ]+\]\}, )"));
  EXPECT_THAT(line, HasSubstr(R"("checks": {"asked": 3, "error": 0.5}, "wrong": {}, )"));
  EXPECT_THAT(line, HasSubstr(R"("plan": "a \"plan\"\nof two lines"})"));
  EXPECT_THAT(line, Not(HasSubstr("\n")));
}

TEST_F(Contests, NumbersThatJsonLacksAreNull) {
  JsonObject object;
  object.add("a", std::numeric_limits<double>::quiet_NaN());
  object.add("b", 33554432);
  object.add("c", std::vector<double>{0.5, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(object.text(), R"({"a": null, "b": 33554432, "c": [0.5, null]})");
}

TEST_F(Contests, AWrongContestantHasNoRateAndTheOthersGoOn) {
  std::string const line = line_of(contest_with("3 elements are wrong"));
  EXPECT_THAT(line, HasSubstr(R"("unit": "GB/s", "peers": {"other": )"));
  EXPECT_THAT(line, HasSubstr(R"("wrong": {"pantile": "3 elements are wrong"})"));
}

TEST_F(Contests, AResultThatIsWrongOnlyLaterIsFound) {
  Contest contest("GB/s", 1.0);
  auto const calls = std::make_shared<int>(0);
  contest.own(timed(instance(), [calls] { ++*calls; }),
              [calls] { return Verdict{*calls == 1 ? "" : "1 element is wrong"}; });
  EXPECT_THAT(line_of(contest), HasSubstr(R"("wrong": {"pantile": "1 element is wrong"})"));
}

// A stopwatch of its own says how long calls take: the first pays for what the others find.
TEST_F(Contests, AFirstCallCountsWhereItIsLong) {
  for (auto const& [long_call, rate] : {std::pair(0.5, "2,"), std::pair(10.0, "4,")}) {
    Contest contest("calls/s", 1.0);
    contest.own(
        [first = true](std::int64_t calls) mutable {
          return first ? first = false, 0.5 : 0.25 * static_cast<double>(calls);
        },
        [] { return Verdict{}; });
    EXPECT_THAT(line_of(contest, long_call), HasSubstr(std::string(R"("pantile": )") + rate));
  }
}

TEST_F(Contests, OperandsTakeTurnsByTheNumberOfTheCall) {
  std::vector<std::int64_t> calls;
  timed(instance(), [&](std::int64_t call) { calls.push_back(call); })(3);
  EXPECT_THAT(calls, ::testing::ElementsAre(0, 1, 2));
}

TEST_F(Contests, WithoutTheVendorsLibraryItSaysSo) {
  if (VendorBlas::open() == nullptr) {
    EXPECT_THAT(VendorBlas::description(), HasSubstr("none: "));
  } else {
    EXPECT_THAT(VendorBlas::description(), HasSubstr("cuBLAS 1"));
  }
}

}  // namespace
