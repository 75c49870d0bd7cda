#include "apps/viewer/page.hpp"

#include <nlohmann/json.hpp>

#include "apps/report/report_json.hpp"

namespace semirec::report {

namespace {

using Json = nlohmann::ordered_json;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Text of an element: what HTML would take for its own.
std::string escaped(std::string text) {
  replace_all(text, "&", "&amp;");
  replace_all(text, "<", "&lt;");
  replace_all(text, ">", "&gt;");
  return text;
}

/// Bytes that are no UTF-8 replaced, as in the JSON.
std::string valid_text(const std::string& text) {
  const Json json = text;
  return Json::parse(json.dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

}  // namespace

std::string script_text(const nlohmann::ordered_json& json) {
  std::string text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  // these stand within strings only
  replace_all(text, "<", "\\u003c");
  replace_all(text, "\xE2\x80\xA8", "\\u2028");
  replace_all(text, "\xE2\x80\xA9", "\\u2029");
  return text;
}

std::string html_of(const Report& report, Reach reach) {
  // nothing is fetched, whatever the names in the data say
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";
  if (reach == Reach::own_host) html += "; connect-src 'self'";
  html +=
      "\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>";
  html += escaped(valid_text(report.title));
  html += "</title>\n<style>\n";
  html += viewer::page_style();
  html +=
      "\n</style>\n</head>\n<body>\n<div id=\"semirec\"></div>\n"
      "<noscript>This page draws a car and its curves by JavaScript, which is switched off in this "
      "browser.</noscript>\n<script>\n";
  html += viewer::page_script();
  // the data come last: a file that was cut short still opens, with what is there
  html += "\n</script>\n<script type=\"application/json\" id=\"semirec-report\">";
  html += script_text(json_of(report));
  html += "</script>\n</body>\n</html>\n";
  return html;
}

bool has_pages() { return !viewer::page_script().empty(); }

}  // namespace semirec::report
