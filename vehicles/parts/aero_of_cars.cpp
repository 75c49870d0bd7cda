#include "vehicles/parts/aero_of_cars.hpp"

#include "recursive/cars/forms_of_cars.hpp"
#include "vehicles/parts/wide_forms.hpp"

namespace semirec {

const FormsOfCars* AeroForce::forms_of_cars() const {
  static constexpr FormsOfCars kForms{are_alike_as<AeroForce>, AeroOfCars<Pack>::make,
                                      make_aeros_of_eight};
  return &kForms;
}

}  // namespace semirec
