#include "apps/capi/status.hpp"

#include <cstring>

namespace semirec::capi {

namespace {

// no string: it would have a destructor in each thread, and the library may be unloaded before
thread_local char create_error[1024] = "";

}  // namespace

void keep_create_error(const char* text) noexcept {
  std::strncpy(create_error, text, sizeof(create_error) - 1);
}

int status_of(InputStatus status) noexcept {
  switch (status) {
    case InputStatus::accepted:
      return SEMIREC_OK;
    case InputStatus::not_finite:
      return SEMIREC_NOT_FINITE;
    case InputStatus::computed:
      return SEMIREC_COMPUTED_INPUT;
    case InputStatus::unknown:
      break;
  }
  return SEMIREC_NO_SUCH_INDEX;
}

int status_of(StepStatus status) noexcept {
  switch (status) {
    case StepStatus::converged:
      return SEMIREC_OK;
    case StepStatus::tangent_not_positive_definite:
      return SEMIREC_NOT_POSITIVE_DEFINITE;
    case StepStatus::non_finite:
      return SEMIREC_STEP_NOT_FINITE;
    case StepStatus::event_impossible:
      return SEMIREC_EVENT_IMPOSSIBLE;
    default:
      return SEMIREC_STEP_FAILED;
  }
}

}  // namespace semirec::capi

const char* semirec_create_error(void) { return semirec::capi::create_error; }
