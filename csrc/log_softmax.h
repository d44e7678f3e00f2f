// One row of logits to log-probabilities of chosen tokens.
#pragma once

#include <cstddef>
#include <cstdint>

namespace privrag {

// log(sum(exp(row))), shifted by the maximum. Exponentials in float (relative error below 2e-7),
// summed in blocks whose sums are added in double.
double log_sum_exp(const float* row, size_t size);

// Index of the largest logit; the first one on ties.
int32_t argmax(const float* row, size_t size);

}  // namespace privrag
