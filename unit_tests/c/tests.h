/* SPDX-FileCopyrightText: Pantile contributors
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#pragma once
/* What the program can be asked to test. */
void test_matmul(void);
void test_batches(void);
void test_transpose(void);
void test_add(void);
void test_fill(void);
void test_copy(void);
void test_histogram(void);
void test_reverse(void);
void test_workspace(void);
void test_explain(void);
void test_operands(void);
void test_options(void);
void test_choices(void);
void test_instances(void);
void test_messages(void);
void test_device(void); /* where there is one */
