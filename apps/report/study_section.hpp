#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/report/report.hpp"
#include "vehicles/study/study_table.hpp"

namespace semirec::report {

/// The samples of a study as a page shows them: all, or evenly spread ones where their numbers
/// would fill more than about 1 MB; `notes` then says so. `commands`: the command line of each
/// response.
StudySection make_study_section(const StudyTable& table, const std::vector<std::string>& commands,
                                std::vector<std::string>& notes);

/// Reads the vehicle of the samples that are shown, of at most 200 of them, and keeps those that
/// are drawn otherwise than `nominal`, up to about 0.6 MB; says in `study.drawn` what was found.
/// Samples that the vehicle refuses, and those with other bodies or shapes, have no drawing.
/// `keep_going`: called before each; false: stop.
void draw_cars(const StudyTable& table, const Vehicle& nominal,
               const std::function<bool()>& keep_going, StudySection& study);

}  // namespace semirec::report
