#include "apps/report/answer_section.hpp"

namespace semirec::report {

namespace {

constexpr std::size_t kMostNumbers = 2000;

}  // namespace

void add_answer(const Answer& answer, Report& page) {
  page.title = answer.title;
  for (const Quantity& quantity : answer.quantities)
    if (!quantity.detail)
      page.answers.push_back(
          {quantity.name, quantity.value, quantity.unit, quantity.uncertainty, quantity.about});
  page.notes.insert(page.notes.end(), answer.notes.begin(), answer.notes.end());
  page.charts.insert(page.charts.end(), answer.charts.begin(), answer.charts.end());
  page.readings.insert(page.readings.end(), answer.readings.begin(), answer.readings.end());
  for (const Table& table : answer.tables)
    if (table.shown || table.rows.size() * table.columns.size() <= kMostNumbers)
      page.tables.push_back(table);
}

}  // namespace semirec::report
