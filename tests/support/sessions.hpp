#pragma once

#include <memory>
#include <string>

#include "vehicles/session/session.hpp"

namespace semirec::test {

/// A session on two files of this repository, by path from its root.
std::unique_ptr<Session> make_session(const std::string& vehicle, const std::string& scenario,
                                      double step = 1e-3,
                                      Formulation formulation = Formulation::hybrid);

}  // namespace semirec::test
