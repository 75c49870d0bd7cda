#pragma once

#include <string_view>

namespace semirec::viewer {

/// The script of a report's page, made from apps/viewer/src when the program is built.
///
/// Text for a `<script>` element of its own, before the element with the results; it holds neither
/// `</script` nor `<!--`. Empty where the program was built without node or without the packages:
/// there are no pages then.
std::string_view page_script();

/// The style sheet of a report's page, text for a `<style>` element. Empty where page_script() is.
std::string_view page_style();

}  // namespace semirec::viewer
