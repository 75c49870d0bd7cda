#pragma once

#include "penalty/dynamic_terms.hpp"

namespace semirec {

/// lambda <- lambda + alpha (Phi + Phi_z dz), [H03] Eq. (2) with Phi at the next iterate taken from
/// the linear equations that have just been solved for dz. Phi evaluated there would add what
/// Newton has not seen yet, and alpha makes much of it: alpha (Phi(z + dz) - Phi - Phi_z dz) is a
/// force that nothing balances (docs/decisions/0006). `P`: the Phi_z inside the factor that gave
/// dz. `weighted` (m) is scratch.
void update_multipliers(const DynamicTerms& terms, const std::vector<double>& P,
                        const Eigen::VectorXd& alpha, const Eigen::VectorXd& dz,
                        Eigen::VectorXd& weighted, Eigen::VectorXd& lambda);

/// Adds the loop closures to residual and tangent, [H03] Eqs. (26), (27):
///   residual += Phi_z^T (alpha Phi + lambda),   tangent += scale Phi_z^T alpha Phi_z.
/// alpha Phi stands beside lambda on purpose, although (2) has just added the same alpha Phi to it:
/// folding the two breaks Newton (docs/decisions/0006).
/// `scale` is the scheme's, h^2/4 for the trapezoidal rule. Where blocks have no slots in the
/// tangent or are prepaid there, the residual alone. Cost: the loops' own blocks only; no heap use.
void add_penalty(DynamicTerms& terms, const Eigen::VectorXd& alpha, const Eigen::VectorXd& lambda,
                 double scale);

/// out += Phi_z^T weights, for any m-vector of weights and a stored Phi_z.
void add_transposed(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
                    const Eigen::VectorXd& weights, Eigen::VectorXd& out);
/// out += Phi_z x.
void add_product(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
                 const Eigen::VectorXd& x, Eigen::VectorXd& out);

}  // namespace semirec
