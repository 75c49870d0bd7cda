#include "recursive/cars/spring_of_cars.hpp"

#include "recursive/cars/forms_of_cars.hpp"
#include "recursive/cars/wide_forms.hpp"

namespace semirec {

const FormsOfCars* SpringDamperForce::forms_of_cars() const {
  static constexpr FormsOfCars kForms{are_alike_as<SpringDamperForce>, SpringOfCars<Pack>::make,
                                      make_springs_of_eight};
  return &kForms;
}

}  // namespace semirec
