#pragma once

#include <algorithm>

#include "integrator/batch/cars_step.hpp"
#include "integrator/batch/kinds.hpp"
#include "integrator/batch/packs_of_cars.hpp"
#include "recursive/cars/forms_of_cars.hpp"

namespace semirec {

/// Forces of cars of one kind from their elements, [car]. Those that are asked car by car come
/// first: they compute the inputs that others read.
template <AnyPack P>
void add_forces_of(Cars<P>& cars, const std::vector<const ForceElements*>& elements) {
  const TreeModel& tree = cars.shape->tree;
  std::vector<ForceElements> rest(elements.size());
  std::vector<int> computing;
  for (std::size_t k = 0; k < elements.front()->size(); ++k) {
    if (const FormsOfCars* forms = (*elements.front())[k]->forms_of_cars()) {
      std::vector<const ForceElement*> all;
      for (const ForceElements* own : elements) all.push_back((*own)[k].get());
      if (auto forces = forms->of<P>()(tree, all)) {
        cars.forces.push_back(std::move(forces));
        continue;
      }
    }
    if ((*elements.front())[k]->computes_inputs())
      computing.push_back(static_cast<int>(rest.front().size()));
    for (std::size_t car = 0; car < elements.size(); ++car)
      rest[car].push_back((*elements[car])[k]);
  }
  if (rest.front().empty()) return;
  cars.forces.insert(cars.forces.begin(), std::make_unique<ForcesCarByCar<P>>(
                                              tree, std::move(rest), std::move(computing)));
}

/// Inputs of cars over time.
template <AnyPack P>
void add_inputs_of(Cars<P>& cars) {
  for (std::size_t k = 0; k < cars.models.front()->mechanism.inputs.size(); ++k) {
    std::vector<const Curve*> curves;
    for (const Model* model : cars.models) curves.push_back(&model->mechanism.inputs[k].curve);
    cars.inputs.emplace_back(curves);
    P factor{};
    for (int l = 0; l < kLanesOf<P>; ++l)
      factor[l] = cars.models[at(l) < cars.models.size() ? at(l) : 0]->mechanism.inputs[k].factor;
    cars.input_factors.push_back(factor);
  }
}

/// Cars in registers of one width. Those in one register are of one kind: the same elements in the
/// same forms, whatever their numbers; so no bit of a car depends on which others there are.
template <AnyPack P>
class PacksOf final : public PacksOfCars {
  static constexpr int kCars = kLanesOf<P>;

 public:
  explicit PacksOf(const std::vector<const Model*>& models) : places_(models.size()) {
    for (const std::vector<std::size_t>& kind : sort_by_kind(models)) add_packs(models, kind);
    scratch_ = std::make_unique<CarsScratch<P>>(packs_.front()->cars);
    // of whichever car is asked by itself
    std::vector<double>& of_elements = scratch_->tree.one->element_scratch;
    for (const Model* model : models)
      of_elements.resize(std::max(of_elements.size(), at(model->tree.element_scratch)), 0.0);
  }

  int size() const override { return static_cast<int>(places_.size()); }
  int lanes() const override { return kCars; }

  void put(int car, const State& state) override {
    OnePack& pack = pack_of(car);
    typename OnePack::template Places<const State> states{};
    states[at(lane_of(car))] = &state;
    put(pack, states);
  }
  void put(const State* const* states) override {
    for (const auto& pack : packs_) put(*pack, pack->places_of(states));
  }
  void leave_out(int car) override {
    pack_of(car).ready &= ~(1U << static_cast<unsigned>(lane_of(car)));
  }
  void set_time(int car, double t) override { pack_of(car).state.t[at(lane_of(car))] = t; }
  void set_end(int car, double t) override { pack_of(car).state.end[at(lane_of(car))] = t; }
  void set_inputs(int car, const std::vector<LiveInput>& live) override {
    pack_of(car).state.live[at(lane_of(car))] = live;
  }
  void hold_inputs(int car) override {
    for (LiveInput& input : pack_of(car).state.live[at(lane_of(car))])
      input.value.fd = input.value.fdd = 0.0;
  }
  void take(int car, State& state) const override {
    const OnePack& pack = pack_of(car);
    typename OnePack::template Places<State> states{};
    states[at(lane_of(car))] = &state;
    pack.state.take(states);
  }
  void take(State* const* states) const override {
    for (const auto& pack : packs_) pack->state.take(pack->places_of(states));
  }
  const StepReport& report(int car) const override {
    return pack_of(car).reports[at(lane_of(car))];
  }

  void step(const StepSettings& settings, int steps) override {
    const Scheme scheme = settings.scheme.make(settings.h, none_);
    for (const auto& owned : packs_) {
      OnePack& pack = *owned;
      for (int n = 0; n < steps && pack.ready != 0; ++n)
        pack.ready &= CarsStep<P>(pack.cars, settings, scheme, pack.ready, pack.state, *scratch_)
                          .take(pack.reports);
    }
  }

  void refuse(StepStatus why) override {
    for (const auto& pack : packs_)
      for (int l = 0; l < kCars; ++l)
        if ((pack->ready >> static_cast<unsigned>(l) & 1U) != 0) pack->reports[at(l)].status = why;
  }

 private:
  struct OnePack {
    template <typename S>
    using Places = std::array<S*, kCars>;  ///< [lane]

    OnePack(Cars<P> compiled, CarsState<P> start)
        : cars(std::move(compiled)), state(std::move(start)) {}
    /// Of states [car] those of its cars.
    template <typename S>
    Places<S> places_of(S* const* states) const {
      Places<S> own{};
      for (std::size_t l = 0; l < cars.models.size(); ++l) own[l] = states[members[l]];
      return own;
    }
    Cars<P> cars;
    std::vector<std::size_t> members;  ///< [lane] which of the batch's cars it is
    CarsState<P> state;
    unsigned ready = 0;  ///< one bit for each car that has a state and has not failed
    typename CarsStep<P>::Reports reports{};
  };

  struct Place {
    std::size_t pack = 0;
    int lane = 0;
  };
  OnePack& pack_of(int car) { return *packs_[places_.at(at(car)).pack]; }
  const OnePack& pack_of(int car) const { return *packs_[places_.at(at(car)).pack]; }
  int lane_of(int car) const { return places_[at(car)].lane; }

  static void put(OnePack& pack, typename OnePack::template Places<const State> states) {
    for (std::size_t l = 0; l < pack.cars.models.size(); ++l) {
      if (states[l] == nullptr) continue;
      pack.ready |= 1U << static_cast<unsigned>(l);
      pack.reports[l] = {};
    }
    // lanes without a car repeat the first
    for (std::size_t l = pack.cars.models.size(); l < kCars; ++l) states[l] = states[0];
    pack.state.put(states);
  }

  /// These cars, of one kind, in packs.
  void add_packs(const std::vector<const Model*>& models, const std::vector<std::size_t>& cars) {
    const std::shared_ptr<const CarShape> shape = shape_of(*models[cars.front()]);
    for (std::size_t first = 0; first < cars.size(); first += kCars) {
      std::vector<const Model*> own;
      for (std::size_t k = first; k < std::min(first + kCars, cars.size()); ++k) {
        places_[cars[k]] = {packs_.size(), static_cast<int>(own.size())};
        own.push_back(models[cars[k]]);
      }
      packs_.push_back(make_pack(shape, own));
      packs_.back()->members.assign(cars.begin() + static_cast<std::ptrdiff_t>(first),
                                    cars.begin() + static_cast<std::ptrdiff_t>(first + own.size()));
    }
  }

  static std::unique_ptr<OnePack> make_pack(const std::shared_ptr<const CarShape>& shape,
                                            const std::vector<const Model*>& models) {
    Cars<P> cars;
    cars.shape = shape;
    cars.models = models;
    std::vector<LanePlan> plans;
    std::vector<std::vector<ClosureGroup>> closures;
    std::vector<const ForceElements*> elements;
    for (const Model* model : cars.models) {
      std::vector<RowBlock> blocks = model->closures.blocks;
      plans.push_back(make_lane_plan(model->tree, /*one_by_one=*/true));
      closures.push_back(make_closure_groups(shape->tree, model->closures.closures, blocks));
      elements.push_back(&model->forces);
    }
    cars.plan = put_side_by_side<P>(*shape->tree.lanes, plans);
    cars.closures = put_side_by_side<P>(shape->closures, closures);
    add_forces_of(cars, elements);
    add_inputs_of(cars);
    return std::make_unique<OnePack>(std::move(cars), CarsState<P>(*shape));
  }

  std::vector<Place> places_;  ///< [car]
  std::vector<std::unique_ptr<OnePack>> packs_;
  std::unique_ptr<CarsScratch<P>> scratch_;
  State none_;
};

}  // namespace semirec
