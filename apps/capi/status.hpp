#pragma once

#include <exception>
#include <new>

#include "apps/capi/semirec.h"
#include "vehicles/session/session.hpp"

namespace semirec::capi {

int status_of(InputStatus status) noexcept;
int status_of(StepStatus status) noexcept;

/// What semirec_create_error() says from now on in this thread.
void keep_create_error(const char* text) noexcept;

/// Calls what makes a handle. What it throws becomes a status, of which semirec_create_error()
/// tells.
template <typename Make>
int status_of_making(const Make& make) noexcept {
  keep_create_error("");
  try {
    make();
    return SEMIREC_OK;
  } catch (const ModelError& error) {
    keep_create_error(error.what());
    return SEMIREC_BAD_INPUT;
  } catch (const std::bad_alloc&) {
    keep_create_error(semirec_status_text(SEMIREC_NO_MEMORY));
    return SEMIREC_NO_MEMORY;
  } catch (const std::exception& error) {
    keep_create_error(error.what());
  } catch (...) {
    keep_create_error(semirec_status_text(SEMIREC_INTERNAL));
  }
  return SEMIREC_INTERNAL;
}
/// The same of an argument that cannot be used.
inline int refused(int status, const char* why) noexcept {
  keep_create_error(why);
  return status;
}

}  // namespace semirec::capi
