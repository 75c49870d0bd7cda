#include "recursive/cars/bushing_of_cars.hpp"

#include "recursive/cars/forms_of_cars.hpp"
#include "recursive/cars/wide_forms.hpp"

namespace semirec {

const FormsOfCars* BushingForce::forms_of_cars() const {
  static constexpr FormsOfCars kForms{are_alike_as<BushingForce>, BushingOfCars<Pack>::make,
                                      make_bushings_of_eight};
  return &kForms;
}

}  // namespace semirec
