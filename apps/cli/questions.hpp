#pragma once

#include <memory>

#include "apps/cli/question.hpp"

namespace semirec::cli {

// one file each, named after the command
std::unique_ptr<Question> make_equilibrium_question();
std::unique_ptr<Question> make_manoeuvre_question();
std::unique_ptr<Question> make_kc_question();
std::unique_ptr<Question> make_modes_question();

}  // namespace semirec::cli
