#include "log_softmax.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// One function body, compiled for several instruction sets and chosen at load time.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define PRIVRAG_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PRIVRAG_CLONES
#endif

namespace privrag {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kBlock = 1024;  // floats summed before their sum goes to double

// exp(x) for x in [-87, 0]: 2^n * p(r), |r| <= ln(2) / 2, Cephes coefficients.
inline float exp_nonpositive(float x) {
    x = std::max(x, -87.0f);
    const float n = std::floor(x * 1.44269504f + 0.5f);
    const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const int32_t bits = (static_cast<int32_t>(n) + 127) << 23;
    float scale;
    std::memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

PRIVRAG_CLONES float max_of(const float* row, size_t size) {
    float lanes[kLanes];
    std::fill(lanes, lanes + kLanes, row[0]);
    size_t i = 0;
    for (; i + kLanes <= size; i += kLanes) {
        for (size_t j = 0; j < kLanes; ++j) {
            lanes[j] = lanes[j] < row[i + j] ? row[i + j] : lanes[j];
        }
    }
    float maximum = *std::max_element(lanes, lanes + kLanes);
    for (; i < size; ++i) {
        maximum = std::max(maximum, row[i]);
    }
    return maximum;
}

PRIVRAG_CLONES double sum_of_exp(const float* row, size_t size, float shift) {
    double total = 0.0;
    size_t start = 0;
    while (start < size) {
        const size_t end = std::min(size, start + kBlock);
        float lanes[kLanes] = {};
        size_t i = start;
        for (; i + kLanes <= end; i += kLanes) {
            for (size_t j = 0; j < kLanes; ++j) {
                lanes[j] += exp_nonpositive(row[i + j] - shift);
            }
        }
        for (const float lane : lanes) {
            total += static_cast<double>(lane);
        }
        for (; i < end; ++i) {
            total += static_cast<double>(exp_nonpositive(row[i] - shift));
        }
        start = end;
    }
    return total;
}

}  // namespace

double log_sum_exp(const float* row, size_t size) {
    const float shift = max_of(row, size);
    return static_cast<double>(shift) + std::log(sum_of_exp(row, size, shift));
}

int32_t argmax(const float* row, size_t size) {
    return static_cast<int32_t>(std::max_element(row, row + size) - row);
}

}  // namespace privrag
