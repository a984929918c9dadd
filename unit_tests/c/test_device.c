/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What only devices have: memory that one side alone reaches, the caller's streams, calls of both spaces. CUDA's. */
#include "support.h"
#include "tests.h"

#include <string.h>

/* Of the run-time library's header, which C programs of hosts do not have. */
typedef void* stream;
int cudaGetDeviceCount(int* count);
int cudaSetDevice(int device);
int cudaMalloc(void** memory, size_t bytes);
int cudaFree(void* memory);
int cudaMallocHost(void** memory, size_t bytes);
int cudaFreeHost(void* memory);
int cudaMemcpy(void* to, void const* from, size_t bytes, int direction);
int cudaStreamCreateWithFlags(stream* made, unsigned flags);
int cudaStreamSynchronize(stream s);
int cudaStreamDestroy(stream s);
enum { TO_DEVICE = 1, TO_HOST = 2, NON_BLOCKING = 1 };

static size_t bytes_of(operand const* o) { return (size_t)o->count * element_size(o->m.element); }

/* The same numbers in memory that only the device reaches. */
static operand on_device(operand const* o) {
  operand there = *o;
  CHECK(cudaMalloc(&there.m.data, bytes_of(o) + 1) == 0);
  CHECK(cudaMemcpy(there.m.data, o->m.data, bytes_of(o), TO_DEVICE) == 0);
  return there;
}
static operand make_on_device(pantile_element element, int64_t rows, int64_t cols, enum layout layout, operand* same) {
  *same = make(element, rows, cols, layout);
  return on_device(same);
}

/* Both copies of an operand go. */
static void drop_both(operand* there, operand* here) {
  cudaFree(there->m.data);
  drop(here);
}

/* What lies on the device is what is wanted; both go. Who calls has waited for it. */
static void check_there(operand* there, operand* wanted, int line) {
  operand got = copy_of(wanted);
  CHECK(cudaMemcpy(got.m.data, there->m.data, bytes_of(there), TO_HOST) == 0);
  check_equal(&got, wanted, __FILE__, line);
  drop(&got);
  drop_both(there, wanted);
}
#define CHECK_THERE(there, wanted) check_there((there), (wanted), __LINE__)

static pantile_vector vector_of(operand const* o) {
  pantile_vector const v = {o->m.data, o->m.element, o->m.rows, o->m.row_stride};
  return v;
}

/* D = (A B)^T + D on a stream of the caller's, of which no call waits for another; who waits is asked for. */
static void test_stream(pantile_element element, void (*wait)(pantile_exec*, stream)) {
  operand A, B, C, D;
  number const one = {1, 0}, zero = {0, 0};
  operand a = make_on_device(element, 40, 33, ROWS_WITH_GAPS, &A), b = make_on_device(element, 33, 20, BY_COLUMNS, &B);
  operand c = make_on_device(element, 40, 20, BY_ROWS, &C), d = make_on_device(element, 20, 40, BY_ROWS, &D);
  operand t = on_device(&D);
  pantile_exec* exec = NULL;
  stream s = NULL;
  CHECK(cudaStreamCreateWithFlags(&s, NON_BLOCKING) == 0);
  CHECK(pantile_exec_create(PANTILE_SPACE_DEVICE, s, &exec) == PANTILE_OK && exec != NULL);
  CHECK(pantile_matmul(exec, NULL, &a.m, &b.m, NULL, &c.m, NULL) == PANTILE_OK);
  CHECK(pantile_transpose(exec, &c.m, &t.m, NULL) == PANTILE_OK);
  CHECK(pantile_add(exec, NULL, &t.m, NULL, &d.m, &d.m, NULL) == PANTILE_OK);
  wait(exec, s);
  multiply(one, &A.m, PANTILE_OP_NONE, &B.m, PANTILE_OP_NONE, zero, &C.m);
  for (int64_t i = 0; i < 20; ++i) {
    for (int64_t j = 0; j < 40; ++j) set(&D.m, i, j, sum_of(at(&D.m, i, j), at(&C.m, j, i)));
  }
  CHECK_THERE(&d, &D);
  CHECK_THERE(&c, &C);
  cudaFree(t.m.data);
  drop_both(&a, &A), drop_both(&b, &B);
  CHECK(cudaStreamDestroy(s) == 0);
}

static void fence_and_destroy(pantile_exec* exec, stream s) {
  (void)s;
  CHECK(pantile_exec_fence(exec) == PANTILE_OK);
  pantile_exec_destroy(exec);
}
static void destroy(pantile_exec* exec, stream s) {
  (void)s;
  pantile_exec_destroy(exec);
}
static void wait_for_stream(pantile_exec* exec, stream s) {
  CHECK(cudaStreamSynchronize(s) == 0); /* the caller's own wait: the handle works in his stream */
  pantile_exec_destroy(exec);
}

/* Fill, reversal and histogram on the default instance. */
static void test_default_instance(void) {
  operand C, X, Y, I, N;
  number const value = {3, 0}, zero = {0, 0}, one = {1, 0};
  double const three = 3;
  operand c = make_on_device(PANTILE_DOUBLE, 9, 50, ROWS_WITH_GAPS, &C);
  operand x = make_on_device(PANTILE_INT32, 700, 1, BY_ROWS, &X),
          y = make_on_device(PANTILE_INT32, 700, 1, BY_ROWS, &Y);
  I = make(PANTILE_INT64, 900, 1, BY_ROWS);
  for (int64_t i = 0; i < 900; ++i) ((int64_t*)I.m.data)[i] = i * i % 7;
  operand indices = on_device(&I), counts = make_on_device(PANTILE_UINT32, 7, 1, BY_ROWS, &N);
  pantile_vector const from = vector_of(&x), to = vector_of(&y);
  CHECK_DONE(pantile_fill(NULL, &c.m, &three, NULL));
  CHECK_DONE(pantile_reverse(NULL, &from, &to, NULL));
  CHECK_DONE(pantile_histogram(NULL, &indices.m, NULL, &counts.m, NULL));
  for (int64_t i = 0; i < 9; ++i) {
    for (int64_t j = 0; j < 50; ++j) set(&C.m, i, j, value);
  }
  for (int64_t i = 0; i < 700; ++i) set(&Y.m, 699 - i, 0, at(&X.m, i, 0));
  for (int64_t i = 0; i < 7; ++i) set(&N.m, i, 0, zero);
  for (int64_t i = 0; i < 900; ++i) set(&N.m, i * i % 7, 0, sum_of(one, at(&N.m, i * i % 7, 0)));
  CHECK_THERE(&c, &C);
  CHECK_THERE(&y, &Y);
  CHECK_THERE(&counts, &N);
  drop_both(&x, &X), drop_both(&indices, &I);
}

/* Five products by addresses, and a stride apart, in the device's memory alone. */
static void test_batches_there(pantile_element element) {
  enum { COUNT = 5, EDGE = 19, SIZE = EDGE * EDGE };
  operand A, B, C;
  number const one = {1, 0}, zero = {0, 0};
  operand a = make_on_device(element, COUNT * EDGE, EDGE, BY_ROWS, &A);
  operand b = make_on_device(element, COUNT * EDGE, EDGE, BY_ROWS, &B);
  operand c = make_on_device(element, COUNT * EDGE, EDGE, BY_ROWS, &C), d = on_device(&C), wanted = copy_of(&C);
  operand const* const operands[] = {&a, &b, &c};
  pantile_batch apart[3], scattered[3];
  void* lists[3];
  for (int o = 0; o < 3; ++o) {
    pantile_matrix const first = {operands[o]->m.data, element, EDGE, EDGE, EDGE, 1};
    pantile_batch const batch = {first, COUNT, SIZE, NULL};
    void* addresses[COUNT];
    for (int p = 0; p < COUNT; ++p) addresses[p] = (char*)first.data + (COUNT - 1 - p) * SIZE * element_size(element);
    CHECK(cudaMalloc(&lists[o], sizeof addresses) == 0);
    CHECK(cudaMemcpy(lists[o], addresses, sizeof addresses, TO_DEVICE) == 0);
    apart[o] = scattered[o] = batch;
    scattered[o].matrix.data = NULL, scattered[o].stride = 0, scattered[o].addresses = lists[o];
  }
  apart[2].matrix.data = d.m.data;
  for (int p = 0; p < COUNT; ++p) {
    pantile_matrix one_a = apart[0].matrix, one_b = one_a, one_c = one_a;
    one_a.data = (char*)A.m.data + (size_t)p * SIZE * element_size(element);
    one_b.data = (char*)B.m.data + (size_t)p * SIZE * element_size(element);
    one_c.data = (char*)wanted.m.data + (size_t)p * SIZE * element_size(element);
    multiply(one, &one_a, PANTILE_OP_NONE, &one_b, PANTILE_OP_NONE, zero, &one_c);
  }
  CHECK_DONE(pantile_matmul_batched(NULL, NULL, &scattered[0], &scattered[1], NULL, &scattered[2], NULL));
  CHECK_DONE(pantile_matmul_batched(NULL, NULL, &apart[0], &apart[1], NULL, &apart[2], NULL));
  operand again = copy_of(&wanted);
  CHECK_THERE(&c, &wanted);
  CHECK_THERE(&d, &again);
  for (int o = 0; o < 3; ++o) cudaFree(lists[o]);
  drop_both(&a, &A), drop_both(&b, &B), drop(&C);
}

/* From the host to the device, transposed in memory, and back. */
static void test_copies(pantile_element element) {
  operand from = make(element, 30, 17, ROWS_WITH_GAPS), back = make(element, 30, 17, BY_ROWS), There;
  operand there = make_on_device(element, 30, 17, BY_COLUMNS, &There), wanted = copy_of(&back);
  for (int64_t i = 0; i < 30; ++i) {
    for (int64_t j = 0; j < 17; ++j) set(&wanted.m, i, j, at(&from.m, i, j)), set(&There.m, i, j, at(&from.m, i, j));
  }
  CHECK_DONE(pantile_copy(NULL, &there.m, &from.m, NULL));
  CHECK_DONE(pantile_copy(NULL, &back.m, &there.m, NULL));
  CHECK_EQUAL(&back, &wanted);
  CHECK_THERE(&there, &There);
  drop(&from), drop(&back), drop(&wanted);
}

/* Calls on the host in a library for devices: with memory of the host, and with memory that both reach. */
static void test_host_calls(pantile_exec* host) {
  double numbers[12] = {1, 2, 3, 4, 5, 6, 7, 8}, *pinned = NULL;
  CHECK(cudaMallocHost((void**)&pinned, 4 * sizeof *pinned) == 0);
  pantile_matrix const A = {numbers, PANTILE_DOUBLE, 2, 2, 2, 1}, B = {numbers + 4, PANTILE_DOUBLE, 2, 2, 2, 1};
  pantile_matrix const C = {numbers + 8, PANTILE_DOUBLE, 2, 2, 2, 1}, P = {pinned, PANTILE_DOUBLE, 2, 2, 2, 1};
  CHECK(pantile_matmul(host, NULL, &A, &B, NULL, &C, NULL) == PANTILE_OK);
  CHECK(numbers[8] == 19 && numbers[9] == 22 && numbers[10] == 43 && numbers[11] == 50);
  CHECK(pantile_transpose(host, &C, &P, NULL) == PANTILE_OK);
  CHECK(pinned[1] == 43 && pinned[2] == 22);
  CHECK_DONE(pantile_add(NULL, NULL, &P, NULL, &P, &P, NULL)); /* the device reaches it too */
  CHECK(pinned[1] == 86 && pinned[2] == 44);
  CHECK(cudaFreeHost(pinned) == 0);
}

/* Each operand in the wrong place, to calls on both sides: refused by its name, and nothing is written. */
static void test_wrong_places(pantile_exec* host) {
  char const* const words[2] = {" lies in memory of the device, and the call runs on the host",
                                " lies in memory of the host, and the call runs on the device"};
  double numbers[3][16], before[16];
  operand O = make(PANTILE_DOUBLE, 4, 4, BY_ROWS), there = on_device(&O);
  void* twins[3] = {there.m.data};
  for (int o = 1; o < 3; ++o) CHECK(cudaMalloc(&twins[o], sizeof before) == 0);
  memset(numbers, 0, sizeof numbers), memset(before, 0, sizeof before);
  for (int to_device = 0; to_device < 2; ++to_device) {
    pantile_exec* const exec = to_device ? NULL : host;
    for (int wrong = 0; wrong < 3; ++wrong) {
      pantile_matrix m[3];
      char expected[100] = {"ABC"[wrong]};
      strcat(expected, words[to_device]);
      for (int o = 0; o < 3; ++o) {
        pantile_matrix const one = {(o == wrong) == to_device ? numbers[o] : twins[o], PANTILE_DOUBLE, 4, 4, 4, 1};
        m[o] = one;
      }
      CHECK_REFUSED(pantile_matmul(exec, NULL, &m[0], &m[1], NULL, &m[2], NULL), PANTILE_INVALID, "pantile_matmul",
                    expected);
      CHECK_REFUSED(pantile_add(exec, NULL, &m[0], NULL, &m[1], &m[2], NULL), PANTILE_INVALID, "pantile_add", expected);
      if (wrong == 2) continue;
      CHECK_REFUSED(pantile_transpose(exec, &m[0], &m[1], NULL), PANTILE_INVALID, "pantile_transpose", expected);
    }
  }
  CHECK(memcmp(numbers[2], before, sizeof before) == 0);
  for (int o = 1; o < 3; ++o) cudaFree(twins[o]);
  CHECK_THERE(&there, &O);
}

/* Of all that take memory to work in; here on the host, there on the device. */
static void test_workspaces_in_wrong_places(pantile_exec* host, void* here, void* there) {
  pantile_matrix const A = {there, PANTILE_DOUBLE, 1, 2, 2, 1}, B = {(double*)there + 2, PANTILE_DOUBLE, 2, 1, 1, 1};
  pantile_matrix const C = {(double*)there + 4, PANTILE_DOUBLE, 1, 1, 1, 1}, H = {here, PANTILE_DOUBLE, 2, 2, 2, 1};
  pantile_vector const x = {there, PANTILE_DOUBLE, 4, 1};
  pantile_matmul_options matmul = {sizeof matmul};
  pantile_transpose_options transpose = {sizeof transpose};
  char const* const words = "workspace lies in memory of the host, and the call runs on the device";
  matmul.workspace.data = transpose.workspace.data = here;
  matmul.workspace.bytes = transpose.workspace.bytes = 64;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, &A, &B, NULL, &C, &matmul), PANTILE_INVALID, "pantile_matmul", words);
  CHECK_REFUSED(pantile_transpose(NULL, &A, &B, &transpose), PANTILE_INVALID, "pantile_transpose", words);
  transpose.workspace.data = there;
  CHECK_REFUSED(pantile_transpose_in_place(host, &H, &transpose), PANTILE_INVALID, "pantile_transpose_in_place",
                "workspace lies in memory of the device");
}

/* Of calls with one operand, of batches, and of addresses that options have. */
static void test_other_wrong_places(pantile_exec* host) {
  double numbers[8] = {0};
  int32_t samples[8] = {0};
  uint64_t ignored = 0;
  void *memory = NULL, *indices = NULL;
  CHECK(cudaMalloc(&memory, sizeof numbers) == 0 && cudaMalloc(&indices, sizeof samples) == 0);
  pantile_matrix const here = {numbers, PANTILE_DOUBLE, 2, 2, 2, 1}, there = {memory, PANTILE_DOUBLE, 2, 2, 2, 1};
  pantile_vector const x = {numbers, PANTILE_DOUBLE, 4, 1}, y = {memory, PANTILE_DOUBLE, 4, 1};
  pantile_matrix const I = {indices, PANTILE_INT32, 8, 1, 1, 1}, J = {samples, PANTILE_INT32, 8, 1, 1, 1};
  pantile_matrix const N = {memory, PANTILE_DOUBLE, 4, 1, 1, 1};
  pantile_batch const batch = {here, 2, 4, NULL}, batch_there = {there, 2, 4, NULL};
  void* addresses[] = {memory, memory};
  pantile_batch scattered = {there, 2, 0, addresses};
  pantile_histogram_options options = {sizeof options};
  scattered.matrix.data = NULL;
  options.out_of_range = 2, options.ignored = &ignored;
  CHECK_REFUSED(pantile_fill(NULL, &here, NULL, NULL), PANTILE_INVALID, "pantile_fill", "C lies in memory of the host");
  CHECK_REFUSED(pantile_fill(host, &there, NULL, NULL), PANTILE_INVALID, "pantile_fill", "C lies in memory of the dev");
  CHECK_REFUSED(pantile_reverse(NULL, &y, &x, NULL), PANTILE_INVALID, "pantile_reverse",
                "y lies in memory of the host");
  CHECK_REFUSED(pantile_reverse(host, &y, &x, NULL), PANTILE_INVALID, "pantile_reverse", "x lies in memory of the dev");
  CHECK_REFUSED(pantile_transpose_in_place(host, &there, NULL), PANTILE_INVALID, "pantile_transpose_in_place",
                "A lies in memory of the device");
  CHECK_REFUSED(pantile_histogram(NULL, &J, NULL, &N, NULL), PANTILE_INVALID, "pantile_histogram",
                "indices lies in memory of the host");
  CHECK_REFUSED(pantile_histogram(NULL, &I, &x, &N, NULL), PANTILE_INVALID, "pantile_histogram",
                "weights lies in memory of the host");
  CHECK_REFUSED(pantile_histogram(NULL, &I, NULL, &N, &options), PANTILE_INVALID, "pantile_histogram",
                "ignored lies in memory of the host");
  CHECK_REFUSED(pantile_transpose_batched(NULL, &batch_there, &batch, NULL), PANTILE_INVALID,
                "pantile_transpose_batched", "B lies in memory of the host");
  CHECK_REFUSED(pantile_transpose_batched(host, &batch_there, &batch, NULL), PANTILE_INVALID,
                "pantile_transpose_batched", "A lies in memory of the device");
  CHECK_REFUSED(pantile_transpose_batched(NULL, &scattered, &scattered, NULL), PANTILE_INVALID,
                "pantile_transpose_batched", " lies in memory of the host");
  CHECK_REFUSED(pantile_transpose_batched(host, &scattered, &scattered, NULL), PANTILE_INVALID,
                "pantile_transpose_batched", "A must have its matrices in memory of the host");
  test_workspaces_in_wrong_places(host, numbers, memory);
  CHECK(ignored == 0 && numbers[0] == 0);
  cudaFree(memory), cudaFree(indices);
}

/* Memory of a second device, where there is one, is out of reach of calls on the first one, and of the host's. */
static void test_another_device(pantile_exec* host) {
  int devices = 0;
  void *other = NULL, *own = NULL;
  double number = 3;
  char const* const there = " lies in memory of another device than the one that the call runs on";
  CHECK(cudaGetDeviceCount(&devices) == 0);
  if (devices < 2) return;
  CHECK(cudaSetDevice(1) == 0 && cudaMalloc(&other, 8 * sizeof number) == 0 && cudaSetDevice(0) == 0);
  CHECK(cudaMalloc(&own, 8 * sizeof number) == 0);
  CHECK(cudaMemcpy(other, &number, sizeof number, TO_DEVICE) == 0);
  pantile_matrix const O = {other, PANTILE_DOUBLE, 2, 2, 2, 1}, A = {own, PANTILE_DOUBLE, 2, 2, 2, 1};
  pantile_matrix const B = {(double*)own + 4, PANTILE_DOUBLE, 2, 2, 2, 1};
  pantile_matmul_options options = {sizeof options};
  struct {
    pantile_matrix const *a, *b, *c;
    char const* name;
  } const products[] = {{&O, &A, &B, "A"}, {&A, &O, &B, "B"}, {&A, &A, &O, "C"}};
  for (int p = 0; p < 3; ++p) {
    char expected[100] = {0};
    strcat(strcat(expected, products[p].name), there);
    CHECK_REFUSED(pantile_matmul(NULL, NULL, products[p].a, products[p].b, NULL, products[p].c, NULL), PANTILE_INVALID,
                  "pantile_matmul", expected);
  }
  options.workspace.data = other, options.workspace.bytes = 64;
  CHECK_REFUSED(pantile_matmul(NULL, NULL, &A, &A, NULL, &B, &options), PANTILE_INVALID, "pantile_matmul", there);
  CHECK_REFUSED(pantile_fill(host, &O, NULL, NULL), PANTILE_INVALID, "pantile_fill",
                "C lies in memory of the device, and the call runs on the host");
  CHECK_REFUSED(pantile_copy(NULL, &O, &A, NULL), PANTILE_INVALID, "pantile_copy",
                "destination lies in memory of anot");
  CHECK_REFUSED(pantile_copy(host, &A, &O, NULL), PANTILE_INVALID, "pantile_copy", "source lies in memory of another");
  number = 0;
  CHECK(cudaMemcpy(&number, other, sizeof number, TO_HOST) == 0 && number == 3);
  cudaFree(other), cudaFree(own);
}

/* Devices load complex numbers as a whole, hosts by their parts. */
static void test_alignment(pantile_exec* host) {
  operand Z = make(PANTILE_COMPLEX_FLOAT, 4, 4, BY_ROWS), there = on_device(&Z);
  pantile_matrix shifted = there.m, here = Z.m;
  pantile_vector x = {(char*)there.m.data + 4, PANTILE_COMPLEX_FLOAT, 3, 1};
  shifted.data = x.data, shifted.rows = here.rows = 3, here.data = (char*)Z.m.data + 4;
  pantile_batch const batch = {shifted, 1, 0, NULL};
  char const* const words = "on the device, must be a multiple of 8 for complex<float>";
  CHECK_REFUSED(pantile_fill(NULL, &shifted, NULL, NULL), PANTILE_INVALID, "pantile_fill", words);
  CHECK_REFUSED(pantile_copy(NULL, &here, &shifted, NULL), PANTILE_INVALID, "pantile_copy", words);
  CHECK_REFUSED(pantile_reverse_in_place(NULL, &x, NULL), PANTILE_INVALID, "pantile_reverse_in_place", words);
  CHECK_REFUSED(pantile_transpose_batched(NULL, &batch, &batch, NULL), PANTILE_INVALID, "pantile_transpose_batched",
                words);
  CHECK(pantile_fill(host, &here, NULL, NULL) == PANTILE_OK);
  drop_both(&there, &Z);
}

/* An explanation names the space that it is of. */
static void test_explanations(pantile_exec* host) {
  operand O = make(PANTILE_FLOAT, 64, 64, BY_ROWS), P = copy_of(&O), there = on_device(&O), result = on_device(&O);
  char text[2000];
  pantile_explanation explanation = {sizeof explanation, text, sizeof text, 0, 0, 0, 0};
  CHECK_DONE(pantile_explain_matmul(NULL, NULL, &there.m, &there.m, NULL, &result.m, NULL, &explanation));
  CHECK(strstr(text, "pantile::matmul[blocked,cuda,float]") != NULL && explanation.flops == 2.0 * 64 * 64 * 64);
  CHECK_DONE(pantile_explain_matmul(host, NULL, &O.m, &O.m, NULL, &P.m, NULL, &explanation));
  CHECK(strstr(text, ",cuda,") == NULL);
  CHECK_DONE(pantile_explain_copy(NULL, &there.m, &O.m, NULL, &explanation));
  CHECK(explanation.bytes == 64 * 64 * 4.0);
  CHECK_REFUSED(pantile_explain_fill(host, &there.m, NULL, NULL, &explanation), PANTILE_INVALID, "pantile_explain_fill",
                "C lies in memory of the device");
  drop_both(&there, &O), drop_both(&result, &P);
}

void test_device(void) {
  static const pantile_element some[] = {PANTILE_FLOAT, PANTILE_COMPLEX_DOUBLE, PANTILE_INT64, 0};
  pantile_exec* host = NULL;
  CHECK(pantile_exec_create(PANTILE_SPACE_HOST, NULL, &host) == PANTILE_OK);
  for (pantile_element const* element = some; *element != 0; ++element) {
    test_stream(*element, fence_and_destroy);
    test_stream(*element, destroy);
    test_stream(*element, wait_for_stream);
    test_batches_there(*element);
    test_copies(*element);
  }
  test_default_instance();
  test_host_calls(host);
  test_wrong_places(host);
  test_other_wrong_places(host);
  test_another_device(host);
  test_alignment(host);
  test_explanations(host);
  pantile_exec_destroy(host);
}
