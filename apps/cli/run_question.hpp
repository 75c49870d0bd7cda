#pragma once

#include <memory>

#include "apps/cli/question.hpp"

namespace semirec::cli {

/// `run` as the response of a sweep; as a command it is in run.cpp.
std::unique_ptr<Question> make_run_question();

}  // namespace semirec::cli
