#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vehicles/study/design.hpp"

namespace semirec {

/// Unit of what each parameter of the study sets, by the kind of the first element of the vehicle
/// that it meets; 1 for factors, empty where it is not known. Throws ModelError as read_vehicle().
std::vector<std::string> find_units(const Study& study);

/// Reads the vehicle of the first sample with the least and with the largest of each parameter:
/// throws the ModelError of the first name or number that is wrong by itself, also where `words` of
/// responses (`--set`) replace what a parameter varies. What does not go together with other values
/// of its sample is told when that is asked.
void check_vehicle(const Study& study, const Design& design, const std::vector<std::string>& words);

/// Of a sample's values those that stand for words.
std::vector<double> find_chosen_words(const Study& study, const std::vector<double>& values);

/// The samples of which each combination of words stands first: their vehicles may consist of
/// different parts and files.
std::vector<std::size_t> find_first_of_words(const Study& study, const Design& design);

/// One number for all that the rows depend on: samples, responses with `columns`, `program`, the
/// bytes of the vehicle's files, of the files that `words` of responses name and of those that they
/// `read` without naming them, of what these include or name as tyre or road, and of files that
/// are values of parameters.
std::uint64_t fingerprint(const Study& study, const Design& design,
                          const std::vector<std::string>& words,
                          const std::vector<std::string>& read,
                          const std::vector<std::string>& columns, const std::string& program);

}  // namespace semirec
