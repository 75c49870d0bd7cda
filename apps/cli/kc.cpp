#include "vehicles/analysis/kc/kc.hpp"

#include "apps/cli/questions.hpp"
#include "apps/report/recorded_run.hpp"
#include "apps/report/rig_motions.hpp"

namespace semirec::cli {

namespace {

class KcQuestion final : public Question {
 public:
  const char* name() const override { return "kc"; }
  const char* about() const override {
    return "suspension rig: kinematics and compliance of each axle. The chassis is held, wheels "
           "are "
           "stiff discs on pads that prescribe their heights; bodies, springs, bushings and joints "
           "find their equilibrium. Wheel and roll rates, toe, camber, steering axis, roll centre, "
           "anti-dive, motion ratios, compliance; curves over travel, roll, steering and loads "
           "with "
           "--out. Example: semirec kc vehicles/models/sedan.xml --axle front --out kc. Signs: "
           "docs/how_to/kc.md";
  }
  void add_options(Command& command) override {
    add_vehicle(command);
    command
        .add_option("--position", position_,
                    "about which all is done: wheels as they are drawn, or where the car rests")
        ->choices({"drawn", "rest"})
        ->capture_default_str();
    command.add_option("--travel", options_.travel, "of the wheels each way, m")
        ->capture_default_str();
    command.add_option("--steering", options_.steering, "of the steering wheel each way, rad")
        ->capture_default_str();
    command
        .add_option("--load", options_.load,
                    "lateral and longitudinal forces on a wheel each way, N; moments are 0.05 m "
                    "times this")
        ->capture_default_str();
    command.add_option("--points", options_.points, "of each curve, odd")->capture_default_str();
    command.add_option("--unit", options_.unit,
                       "which unit of a vehicle with trailers stands on the rig, the others taken "
                       "off; the first without it");
    command.add_option("--axle", options_.axle, "front, rear, axle_2, ...; all without it");
    command.add_option("--test", options_.tests,
                       "design, compliance, parallel, opposite, roll, steering, lateral, "
                       "longitudinal or aligning; may be repeated; all without it");
  }
  Answer answer_for(report::Report* page, const std::vector<Override>& more,
                    const Progress& progress) const override {
    KcOptions options = options_;
    if (position_ == "rest") options.position = KcPosition::rest;
    const Vehicle vehicle = read(more);
    if (page == nullptr) return find_kinematics_and_compliance(vehicle, options, progress);
    std::vector<KcMotion> motions;
    Answer answer = find_kinematics_and_compliance(vehicle, options, progress, &motions);
    *page = begin_page(vehicle);
    page->motions = report::show_rig(vehicle, motions);
    if (page->motions.empty())
      page->motions.push_back(report::show_design(vehicle, "design position"));
    return answer;
  }

 private:
  KcOptions options_;
  std::string position_ = "drawn";
};

}  // namespace

std::unique_ptr<Question> make_kc_question() { return std::make_unique<KcQuestion>(); }

}  // namespace semirec::cli
