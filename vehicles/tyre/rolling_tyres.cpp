#include "vehicles/tyre/rolling_tyres.hpp"

#include <array>
#include <utility>

namespace semirec {

namespace {

using Patches = std::array<RollingTyre::Patch, kMostInARow>;

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
  std::vector<std::shared_ptr<const TyreLaw>> laws;
  for (std::size_t k = 0; k < tyres_.size(); ++k) {
    laws.push_back(tyres_[k].law());
    std::unique_ptr<const TyreRow> longer;
    if (laws.size() > 1 && laws.size() <= kMostInARow) longer = laws.front()->make_row(laws);
    if (longer) {
      rows_.back().laws = std::move(longer);
      rows_.back().count = laws.size();
    } else {
      laws = {tyres_[k].law()};
      rows_.push_back({k, 1, make_tyre_row(laws)});
    }
  }
}

void RollingTyres::bind(const Mechanism& mechanism, TreeModel& model) {
  for (RollingTyre& tyre : tyres_) tyre.bind(mechanism, model);
}

void RollingTyres::locate(const Row& row, const ForceInput& in, RollingTyre::Patch* patches,
                          TyreRolling* rolling) const {
  std::array<TyreContact, kMostInARow> contacts;
  for (std::size_t k = 0; k < row.count; ++k) {
    patches[k] = tyres_[row.first + k].meet_road(in);
    contacts[k] = patches[k].contact;
  }
  row.laws->roll({contacts.data(), row.count}, {rolling, row.count});
  for (std::size_t k = 0; k < row.count; ++k) {
    patches[k].rolling = rolling[k];
    tyres_[row.first + k].compute_slip_speeds(patches[k]);
  }
}

struct RollingTyres::Asked {
  Patches patches;
  std::array<RollingTyre::Deflection, kMostInARow> deflections;
  std::array<RollingTyre::Slips, kMostInARow> slips;
  std::array<TyreSlip, kMostInARow> told;
  std::array<TyreForces, kMostInARow> forces;
};

void RollingTyres::ask(const Row& row, const ForceInput& in, Asked& asked) const {
  std::array<TyreRolling, kMostInARow> rolling;
  locate(row, in, asked.patches.data(), rolling.data());
  for (std::size_t k = 0; k < row.count; ++k) {
    const RollingTyre& tyre = tyres_[row.first + k];
    asked.deflections[k] = tyre.eliminate(asked.patches[k], in, first_states_[row.first + k]);
    asked.slips[k] = tyre.compute_slips(asked.patches[k], asked.deflections[k]);
    asked.told[k] = tyre.to_law(asked.patches[k], asked.slips[k]);
  }
  row.laws->forces({asked.told.data(), row.count}, {rolling.data(), row.count},
                   {asked.forces.data(), row.count});
}

void RollingTyres::add_row(const Row& row, const ForceInput& in, ForceSink& out) const {
  Asked asked;
  ask(row, in, asked);
  for (std::size_t k = 0; k < row.count; ++k) {
    const RollingTyre& tyre = tyres_[row.first + k];
    tyre.set_states(asked.deflections[k], first_states_[row.first + k], out);
    tyre.add_wheel(in, out, asked.patches[k], asked.deflections[k], asked.slips[k], asked.told[k],
                   asked.forces[k]);
  }
}

void RollingTyres::add_forces(const ForceInput& in, ForceSink& out) const {
  for (const Row& row : rows_) add_row(row, in, out);
}

int RollingTyres::state_count() const { return first_states_.back(); }

std::string RollingTyres::state_name(int k) const {
  std::size_t tyre = 0;
  while (k >= first_states_[tyre + 1]) ++tyre;
  return tyres_[tyre].wheel_name() + ".x[" + std::to_string(k - first_states_[tyre]) + "]";
}

void RollingTyres::update_states(const ForceInput& in, StateSink& out) const {
  for (const Row& row : rows_) {
    Patches patches;
    std::array<TyreRolling, kMostInARow> rolling;
    locate(row, in, patches.data(), rolling.data());
    for (std::size_t k = 0; k < row.count; ++k) {
      const RollingTyre& tyre = tyres_[row.first + k];
      const int first = first_states_[row.first + k];
      tyre.write_states(patches[k], tyre.eliminate(patches[k], in, first), first, out);
    }
  }
}

void RollingTyres::settle_states(const ForceInput& in, StateSink& out) const {
  for (std::size_t k = 0; k < tyres_.size(); ++k) tyres_[k].settle(in, first_states_[k], out);
}

ForcePower RollingTyres::report(const ForceInput& in, double* values) const {
  ForcePower sum;
  sum.open = true;
  for (const Row& row : rows_) {
    Asked asked;
    ask(row, in, asked);
    for (std::size_t k = 0; k < row.count; ++k) {
      const ForcePower power =
          tyres_[row.first + k].report(in, asked.patches[k], asked.deflections[k], asked.slips[k],
                                       asked.told[k], asked.forces[k], values);
      sum.stored += power.stored;
      sum.dissipated += power.dissipated;
      sum.input += power.input;
      if (values != nullptr) values += RollingTyre::kChannels;
    }
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
