#pragma once

#include <string>

#include "apps/fmi/instance.hpp"

namespace semirec::fmi {

/// The folder that a path or a URI (`file:///a%20b/resources`, FMI 2.0) names, without a stroke at
/// its end; empty where it is neither.
std::string folder_of(const char* location);

/// A new instance, or null with one line in the log, whether logging is on or not.
Instance* make_instance(const char* function, const char* name, const char* token,
                        const char* location, const LogSink& sink, bool logging) noexcept;

}  // namespace semirec::fmi
