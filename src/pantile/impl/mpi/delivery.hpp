// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A round's messages between all ranks, under way while the host does other things.

#include <pantile/impl/mpi/exchange_plan.hpp>

#include <mpi.h>

#include <cstddef>

namespace pantile::impl::mpi {

class Delivery {
 public:
  Delivery(MPI_Comm communicator, std::size_t element_bytes);
  Delivery(Delivery&&) = delete;
  Delivery& operator=(Delivery&&) = delete;
  ~Delivery();

  /// Collective. Nobody touches either memory until wait() has returned.
  void start(Messages sent, void const* from, Messages received, void* to);
  void wait();

 private:
  MPI_Comm m_communicator;
  MPI_Datatype m_element = MPI_DATATYPE_NULL;
  MPI_Request m_request = MPI_REQUEST_NULL;
  Messages m_sent, m_received;
};

}  // namespace pantile::impl::mpi
