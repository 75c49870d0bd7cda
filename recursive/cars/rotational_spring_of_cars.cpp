#include "recursive/cars/rotational_spring_of_cars.hpp"

#include "recursive/cars/forms_of_cars.hpp"
#include "recursive/cars/wide_forms.hpp"

namespace semirec {

const FormsOfCars* RotationalSpringDamperForce::forms_of_cars() const {
  static constexpr FormsOfCars kForms{are_alike_as<RotationalSpringDamperForce>,
                                      RotationalSpringOfCars<Pack>::make,
                                      make_rotational_springs_of_eight};
  return &kForms;
}

}  // namespace semirec
