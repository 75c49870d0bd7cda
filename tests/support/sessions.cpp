#include "tests/support/sessions.hpp"

#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {

std::unique_ptr<Session> make_session(const std::string& vehicle, const std::string& scenario,
                                      double step, Formulation formulation) {
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/";
  SessionSettings settings;
  settings.step = step;
  settings.compile.formulation = formulation;
  return std::make_unique<Session>(read_drive(root + vehicle, root + scenario), settings);
}

}  // namespace semirec::test
