#include "vehicles/driveline/brake_of_cars.hpp"

#include "recursive/cars/forms_of_cars.hpp"
#include "vehicles/driveline/wide_forms.hpp"

namespace semirec {

const FormsOfCars* BrakeForce::forms_of_cars() const {
  static constexpr FormsOfCars kForms{are_alike_as<BrakeForce>, BrakeOfCars<Pack>::make,
                                      make_brakes_of_eight};
  return &kForms;
}

}  // namespace semirec
