#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/capi/semirec.h"

namespace semirec::test {

inline const std::string kRoot = std::string(SEMIREC_SOURCE_DIR) + "/";
inline const std::string kShipped = kRoot + "vehicles/";

struct Destroy {
  void operator()(semirec_car* car) const { semirec_destroy(car); }
};
using Car = std::unique_ptr<semirec_car, Destroy>;

inline std::vector<double> outputs(semirec_car* car) {
  std::vector<double> values(static_cast<std::size_t>(semirec_output_count(car)));
  EXPECT_EQ(semirec_get_outputs(car, values.data(), static_cast<int>(values.size())), SEMIREC_OK);
  return values;
}

inline std::vector<unsigned char> saved(const semirec_car* car) {
  std::vector<unsigned char> bytes(semirec_saved_size(car));
  EXPECT_EQ(semirec_save(car, bytes.data(), bytes.size()), SEMIREC_OK);
  return bytes;
}

}  // namespace semirec::test
