#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace semirec {

/// Messages are never longer than this, characters: what stands in the middle of longer ones is
/// left out, and the message says how much.
constexpr std::size_t kLongestMessage = 2000;

/// Number of bytes of the UTF-8 character that begins at `at`; 0 where no valid one does.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// The text of a message on one line that any terminal and any JSON can show: line ends and other
/// control characters as \n, \t or \x1b, bytes that are no UTF-8 as \xe9, and no more than
/// kLongestMessage characters of the original.
std::string message_text(std::string_view text);

}  // namespace semirec
