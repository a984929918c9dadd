// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/delivery.hpp>

#include <utility>

namespace pantile::impl::mpi {

Delivery::Delivery(MPI_Comm communicator, std::size_t element_bytes) : m_communicator(communicator) {
  MPI_Type_contiguous(static_cast<int>(element_bytes), MPI_BYTE, &m_element);
  MPI_Type_commit(&m_element);
}

Delivery::~Delivery() {
  wait();
  MPI_Type_free(&m_element);
}

void Delivery::start(Messages sent, void const* from, Messages received, void* to) {
  m_sent = std::move(sent);
  m_received = std::move(received);
  MPI_Ialltoallv(from, m_sent.counts.data(), m_sent.places.data(), m_element, to, m_received.counts.data(),
                 m_received.places.data(), m_element, m_communicator, &m_request);
}

void Delivery::wait() { MPI_Wait(&m_request, MPI_STATUS_IGNORE); }

}  // namespace pantile::impl::mpi
