#include "apps/viewer/page.hpp"

namespace semirec::viewer {

std::string_view page_script() { return {}; }
std::string_view page_style() { return {}; }

}  // namespace semirec::viewer
