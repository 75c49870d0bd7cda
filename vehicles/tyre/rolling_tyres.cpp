#include "vehicles/tyre/rolling_tyres.hpp"

#include <limits>
#include <utility>

#include "vehicles/tyre/rolling_row.hpp"

namespace semirec {

namespace {

std::string join_names(const std::vector<RollingTyre>& tyres) {
  std::string names;
  for (const RollingTyre& tyre : tyres) names += (names.empty() ? "" : ", ") + tyre.wheel_name();
  return names;
}

}  // namespace

RollingTyres::RollingTyres(std::vector<RollingTyre> tyres)
    : ForceElement(join_names(tyres), tyres.front().source()),
      tyres_(std::move(tyres)),
      first_states_{0} {
  for (const RollingTyre& tyre : tyres_)
    first_states_.push_back(first_states_.back() + tyre.state_count());
}

void RollingTyres::bind(const Mechanism& mechanism, TreeModel& model) {
  for (RollingTyre& tyre : tyres_) tyre.bind(mechanism, model);
  rows_.clear();
  std::vector<const RollingTyre*> row;
  std::vector<int> first_states;
  for (std::size_t k = 0; k < tyres_.size(); ++k) {
    row.push_back(&tyres_[k]);
    first_states.push_back(first_states_[k]);
    if (k + 1 < tyres_.size() && RollingRow::go_together(row, tyres_[k + 1])) continue;
    rows_.push_back(std::make_shared<RollingRow>(row, first_states));
    row.clear();
    first_states.clear();
  }
}

void RollingTyres::add_forces(const ForceInput& in, ForceSink& out) const {
  for (const auto& row : rows_) row->add_forces(in, out);
}

std::vector<InputRange> RollingTyres::input_ranges() const {
  std::vector<InputRange> ranges;
  for (const RollingTyre& tyre : tyres_)
    if (tyre.motion().friction != kNoInput)
      ranges.push_back({tyre.motion().friction, 0.0, std::numeric_limits<double>::infinity()});
  return ranges;
}

int RollingTyres::state_count() const { return first_states_.back(); }

std::string RollingTyres::state_name(int k) const {
  std::size_t tyre = 0;
  while (k >= first_states_[tyre + 1]) ++tyre;
  return tyres_[tyre].wheel_name() + ".x[" + std::to_string(k - first_states_[tyre]) + "]";
}

void RollingTyres::update_states(const ForceInput& in, StateSink& out) const {
  for (const auto& row : rows_) row->update_states(in, out);
}

void RollingTyres::settle_states(const ForceInput& in, StateSink& out) const {
  for (std::size_t k = 0; k < tyres_.size(); ++k) tyres_[k].settle(in, first_states_[k], out);
}

ForcePower RollingTyres::report(const ForceInput& in, double* values) const {
  ForcePower sum;
  sum.open = true;
  for (const auto& row : rows_) {
    const ForcePower power = row->report(in, values);
    sum.stored += power.stored;
    sum.dissipated += power.dissipated;
    sum.input += power.input;
    if (values != nullptr) values += row->channel_count();
  }
  return sum;
}

void RollingTyres::measure_contacts(const ForceInput& in, double* pressed) const {
  for (const RollingTyre& tyre : tyres_) *pressed++ = tyre.reach(in);
}

std::vector<Channel> RollingTyres::channels() const {
  std::vector<Channel> channels;
  for (const RollingTyre& tyre : tyres_) tyre.add_channels(channels);
  return channels;
}

bool RollingTyres::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  for (const RollingTyre& tyre : tyres_) tyre.add_reported_bodies(bodies);
  return true;
}

std::vector<const StandingTyre*> RollingTyres::standing_tyres() const {
  std::vector<const StandingTyre*> tyres;
  for (const RollingTyre& tyre : tyres_) tyres.push_back(&tyre);
  return tyres;
}

const RollingTyre* find_rolling_tyre(const ForceElements& elements, const std::string& wheel) {
  for (const auto& element : elements) {
    const auto* rolling = dynamic_cast<const RollingTyres*>(element.get());
    if (rolling == nullptr) continue;
    for (const RollingTyre& tyre : rolling->tyres())
      if (tyre.wheel_name() == wheel) return &tyre;
  }
  return nullptr;
}

}  // namespace semirec
