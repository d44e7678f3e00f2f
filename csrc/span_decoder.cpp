#include "span_decoder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>

namespace privrag {
namespace {

struct Candidate {
    float logit;
    std::int32_t start;
    std::int32_t end;
    std::int32_t label;
};

// Logits, not probabilities: the sigmoid rounds distinct high logits to one value.
bool better(const Candidate& a, const Candidate& b) {
    return std::make_tuple(-a.logit, a.start, -a.end, a.label) <
           std::make_tuple(-b.logit, b.start, -b.end, b.label);
}

float sigmoid(float logit) {
    return static_cast<float>(1.0 / (1.0 + std::exp(-static_cast<double>(logit))));
}

std::vector<double> logit_cuts(const float* thresholds, std::int64_t labels) {
    std::vector<double> cuts;
    cuts.reserve(static_cast<std::size_t>(labels));
    for (std::int64_t c = 0; c < labels; ++c) {
        const double p = static_cast<double>(thresholds[c]);
        if (!(p > 0.0 && p <= 1.0)) {
            throw std::invalid_argument("thresholds must lie in (0, 1], got " + std::to_string(p) +
                                        " at label " + std::to_string(c));
        }
        cuts.push_back(p < 1.0 ? std::log(p / (1.0 - p)) : std::numeric_limits<double>::infinity());
    }
    return cuts;
}

std::vector<Candidate> candidates_above(const float* logits, std::int64_t words,
                                        std::int64_t max_width, const std::vector<double>& cuts) {
    std::vector<Candidate> found;
    const auto labels = static_cast<std::int64_t>(cuts.size());
    for (std::int64_t i = 0; i < words; ++i) {
        const std::int64_t widths = std::min(max_width, words - i);
        for (std::int64_t k = 0; k < widths; ++k) {
            const float* row = logits + (i * max_width + k) * labels;
            for (std::int64_t c = 0; c < labels; ++c) {
                if (static_cast<double>(row[c]) <= cuts[static_cast<std::size_t>(c)]) {
                    continue;
                }
                if (std::isnan(row[c])) {
                    throw NotANumber("logits hold NaN");
                }
                found.push_back({row[c], static_cast<std::int32_t>(i),
                                 static_cast<std::int32_t>(i + k), static_cast<std::int32_t>(c)});
            }
        }
    }
    return found;
}

// The spans taken so far, by start: what a candidate is held against. A conflict starts less
// than max_width words before the candidate, so a look-up costs the width, not the text.
class TakenSpans {
public:
    TakenSpans(std::int64_t words, std::int64_t max_width, bool flat, bool multi_label)
        : ends_(static_cast<std::size_t>(words)),
          max_width_(max_width),
          flat_(flat),
          multi_label_(multi_label) {}

    bool conflict(std::int32_t start, std::int32_t end) const {
        const std::int64_t first = std::max<std::int64_t>(0, start - max_width_ + 1);
        for (std::int64_t s = first; s <= end; ++s) {
            for (const std::int32_t e : ends_[static_cast<std::size_t>(s)]) {
                if (conflict(start, end, static_cast<std::int32_t>(s), e)) {
                    return true;
                }
            }
        }
        return false;
    }

    void take(std::int32_t start, std::int32_t end) {
        ends_[static_cast<std::size_t>(start)].push_back(end);
    }

private:
    bool conflict(std::int32_t a_start, std::int32_t a_end, std::int32_t b_start,
                  std::int32_t b_end) const {
        if (a_start == b_start && a_end == b_end) {
            return !multi_label_;
        }
        if (a_end < b_start || b_end < a_start) {
            return false;
        }
        const bool nested =
            (a_start <= b_start && b_end <= a_end) || (b_start <= a_start && a_end <= b_end);
        return flat_ || !nested;
    }

    std::vector<std::vector<std::int32_t>> ends_;
    std::int64_t max_width_;
    bool flat_;
    bool multi_label_;
};

}  // namespace

std::vector<DecodedSpan> decode_spans(const float* logits, std::int64_t words,
                                      std::int64_t max_width, std::int64_t labels,
                                      const float* thresholds, bool flat, bool multi_label) {
    constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
    if (words < 0 || max_width < 0 || labels < 0 || words > limit || labels > limit) {
        throw std::invalid_argument("sizes must be 0 or more and fit int32, got words " +
                                    std::to_string(words) + ", max_width " +
                                    std::to_string(max_width) + ", labels " +
                                    std::to_string(labels));
    }
    std::vector<Candidate> candidates =
        candidates_above(logits, words, max_width, logit_cuts(thresholds, labels));
    std::sort(candidates.begin(), candidates.end(), better);

    TakenSpans taken(words, max_width, flat, multi_label);
    std::vector<DecodedSpan> spans;
    for (const Candidate& c : candidates) {
        if (!taken.conflict(c.start, c.end)) {
            taken.take(c.start, c.end);
            spans.push_back({c.start, c.end, c.label, sigmoid(c.logit)});
        }
    }
    std::sort(spans.begin(), spans.end(), [](const DecodedSpan& a, const DecodedSpan& b) {
        return std::make_tuple(a.start, -a.end, a.label) <
               std::make_tuple(b.start, -b.end, b.label);
    });
    return spans;
}

}  // namespace privrag
