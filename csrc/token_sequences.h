// Variants as flat arrays: the form in which Python hands them over, without a copy.
#pragma once

#include <cstddef>
#include <cstdint>

namespace privrag {

// A view of several token sequences, each split into a prompt and a continuation.
//
// Sequence i is tokens[offsets[i] .. offsets[i + 1]); its first prompt_lengths[i] tokens are the
// prompt, the rest is the continuation whose log-probabilities are wanted.
struct TokenSequences {
    const int32_t* tokens;
    const int64_t* offsets;         // [count + 1]
    const int32_t* prompt_lengths;  // [count]
    size_t count;

    const int32_t* begin(size_t i) const { return tokens + offsets[i]; }
    int32_t length(size_t i) const { return static_cast<int32_t>(offsets[i + 1] - offsets[i]); }
};

}  // namespace privrag
