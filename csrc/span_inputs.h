// The inputs of a span-mode GLiNER, batch by batch. STL only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace privrag {

// One text under one prompt. The caller's memory, and the caller's word that `counts`, each 1 or
// more, sum up to `tokens`.
struct SpanRow {
    const std::int64_t* head;  // special tokens, labels, separator
    std::size_t head_size;
    const std::int64_t* ids;  // of the text
    std::size_t tokens;
    const std::int64_t* counts;  // tokens of each word
    std::size_t words;
    const std::int64_t* tail;  // closes the sequence
    std::size_t tail_size;

    std::size_t length() const { return head_size + tokens + tail_size; }
};

struct SpanShape {
    std::size_t tokens;  // of the longest row, prompt included
    std::size_t words;   // of the row with the most
};

SpanShape shape_of(const std::vector<SpanRow>& rows);

// Where the inputs go; zero all over before.
struct SpanInputs {
    std::int64_t* input_ids;  // [rows, tokens], as the next two
    std::int64_t* attention_mask;
    std::int64_t* words_mask;  // at a word's first token its number, counted from 1
    std::int64_t* text_lengths;  // [rows], in words
    std::int64_t* span_idx;      // [rows, words * max_width, 2]: first and last word
    bool* span_mask;             // [rows, words * max_width]: whether the text has such a span
};

void fill(const std::vector<SpanRow>& rows, const SpanShape& shape, std::size_t max_width,
          const SpanInputs& inputs);

}  // namespace privrag
