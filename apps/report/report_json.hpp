#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "apps/report/report.hpp"

namespace semirec::report {

/// The report as a page reads it, format 1. Numbers that are not finite become words or null.
nlohmann::ordered_json json_of(const Report& report);

/// A shape as a page reads it: the same text for the same shape.
std::string shape_text(const Shape& shape);

/// The JSON on one line, so that it may stand in a <script> of a page: every `<` is written
/// \u003c, U+2028 and U+2029 as their escapes; bytes that are no UTF-8 are replaced.
std::string script_text(const nlohmann::ordered_json& json);

/// What a page may reach: nothing, or the server that it came from, by WebSocket.
enum class Reach { nothing, own_host };

/// The page: one HTML file that needs nothing else.
std::string html_of(const Report& report, Reach reach = Reach::nothing);

/// Whether the program was built with its pages.
bool has_pages();

}  // namespace semirec::report
