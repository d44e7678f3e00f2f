// GLiNER span logits -> spans. STL only.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace privrag {

// The model failed: no span is above a threshold where a logit is NaN, and none below it either.
struct NotANumber : std::domain_error {
    using std::domain_error::domain_error;
};

struct DecodedSpan {
    std::int32_t start;  // first word
    std::int32_t end;    // last word, inclusive
    std::int32_t label;
    float score;  // probability
};

// Greedy decoding, best logit first, as in GLiNER (Zaratiana et al. 2023, section 2.3).
//
// logits: [words, max_width, labels], row-major; logits[i, k, c] rates label c on the words
// i ... i + k. Spans that reach past the last word are ignored.
// thresholds: [labels], probabilities in (0, 1]; a span counts when its probability is above.
//
// A candidate is taken unless it conflicts with one taken before:
//   flat     any common word is a conflict;
//   nested   only crossing is: a common word, and neither span holds the other;
//   the very same span under a second label is a conflict unless multi_label.
// Equal logits: smaller start first, then the longer span, then the smaller label.
// The result is ordered by start, then longer first, then label.
//
// Throws NotANumber on a logit that is NaN, std::invalid_argument on a negative size or a
// threshold outside (0, 1].
std::vector<DecodedSpan> decode_spans(const float* logits, std::int64_t words,
                                      std::int64_t max_width, std::int64_t labels,
                                      const float* thresholds, bool flat, bool multi_label);

}  // namespace privrag
