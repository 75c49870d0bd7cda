#include "vehicles/parts/sensor_of_cars.hpp"

#include "recursive/cars/forms_of_cars.hpp"
#include "vehicles/parts/sensor.hpp"
#include "vehicles/parts/wide_forms.hpp"

namespace semirec {

const FormsOfCars* SensorReport::forms_of_cars() const {
  static constexpr FormsOfCars kForms{are_alike_as<SensorReport>, SensorOfCars<Pack>::make,
                                      make_sensors_of_eight};
  return &kForms;
}

}  // namespace semirec
