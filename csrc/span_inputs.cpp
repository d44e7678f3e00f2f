#include "span_inputs.h"

#include <algorithm>

namespace privrag {
namespace {

void fill_tokens(const SpanRow& row, std::size_t start, const SpanInputs& inputs) {
    std::int64_t* const ids = inputs.input_ids + start;
    std::copy_n(row.head, row.head_size, ids);
    std::copy_n(row.ids, row.tokens, ids + row.head_size);
    std::copy_n(row.tail, row.tail_size, ids + row.head_size + row.tokens);
    std::fill_n(inputs.attention_mask + start, row.length(), 1);
    std::size_t token = start + row.head_size;
    for (std::size_t word = 0; word < row.words; ++word) {
        inputs.words_mask[token] = static_cast<std::int64_t>(word + 1);
        token += static_cast<std::size_t>(row.counts[word]);
    }
}

void fill_spans(std::size_t words, std::size_t start, std::size_t max_width,
                const SpanInputs& inputs) {
    for (std::size_t first = 0; first < words; ++first) {
        const std::size_t widths = std::min(max_width, words - first);
        for (std::size_t width = 0; width < widths; ++width) {
            const std::size_t span = start + first * max_width + width;
            inputs.span_idx[2 * span] = static_cast<std::int64_t>(first);
            inputs.span_idx[2 * span + 1] = static_cast<std::int64_t>(first + width);
            inputs.span_mask[span] = true;
        }
    }
}

}  // namespace

SpanShape shape_of(const std::vector<SpanRow>& rows) {
    SpanShape shape{0, 0};
    for (const SpanRow& row : rows) {
        shape.tokens = std::max(shape.tokens, row.length());
        shape.words = std::max(shape.words, row.words);
    }
    return shape;
}

void fill(const std::vector<SpanRow>& rows, const SpanShape& shape, std::size_t max_width,
          const SpanInputs& inputs) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        inputs.text_lengths[i] = static_cast<std::int64_t>(rows[i].words);
        fill_tokens(rows[i], i * shape.tokens, inputs);
        fill_spans(rows[i].words, i * shape.words * max_width, max_width, inputs);
    }
}

}  // namespace privrag
