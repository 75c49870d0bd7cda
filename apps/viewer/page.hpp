#pragma once

#include <string_view>

namespace semirec::viewer {

/// Script and style of the pages that --report writes, to be put into <script> and <style> as they
/// are. Both are empty where the program was built without pages.
std::string_view page_script();
std::string_view page_style();

}  // namespace semirec::viewer
