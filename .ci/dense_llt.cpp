// Prints what Eigen's dense LLT takes at n = 26, factor and solve, in microseconds of CPU time: the
// speed of the machine that the budgets of .ci/run are scaled by. Median of blocks, so that a
// neighbour who interrupts moves nothing.
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include <Eigen/Dense>

int main() {
  const Eigen::MatrixXd R = Eigen::MatrixXd::Random(26, 26);
  const Eigen::MatrixXd A = R * R.transpose() + 26.0 * Eigen::MatrixXd::Identity(26, 26);
  const Eigen::VectorXd b = Eigen::VectorXd::Random(26);
  Eigen::LLT<Eigen::MatrixXd> llt(26);
  Eigen::VectorXd x(26);
  constexpr int kRepeats = 5000;  // some 10 ms a block
  std::array<double, 41> blocks{};
  volatile double sink = 0.0;
  for (double& block : blocks) {
    const std::clock_t start = std::clock();
    for (int k = 0; k < kRepeats; ++k) {
      llt.compute(A);
      x = b;
      llt.solveInPlace(x);
      sink = x[k % 26];
    }
    block = 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kRepeats;
  }
  std::nth_element(blocks.begin(), blocks.begin() + blocks.size() / 2, blocks.end());
  std::printf("%.3f\n", blocks[blocks.size() / 2]);
  return sink == 0.0 ? 1 : 0;
}
