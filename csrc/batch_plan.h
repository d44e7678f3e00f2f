// Cuts a prefix tree into waves of sequences and batches of tokens that fit the model's limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "prefix_tree.h"

namespace privrag {

struct BatchLimits {
    int32_t cells;      // tokens that the KV cache holds (n_ctx)
    int32_t batch;      // tokens per decode (n_batch)
    int32_t sequences;  // sequences alive at once (n_seq_max)
    int32_t outputs;    // logits rows per decode
};

// Tokens of one decode: node indices, parents before children.
using Batch = std::vector<int32_t>;

// Sorted sequences [first, last) that are alive together. When it starts, the cache holds the path
// `kept` (node indices, root first) and nothing else.
struct Wave {
    size_t first;
    size_t last;
    std::vector<int32_t> kept;
    std::vector<Batch> batches;
};

struct BatchPlan {
    std::vector<Wave> waves;
    int64_t evaluated = 0;
    int64_t reused = 0;  // of an earlier call
};

// A sequence needs more cells than there are.
struct TooLong : std::length_error {
    TooLong(int64_t needed_cells, int64_t available_cells)
        : std::length_error("sequence longer than the context"),
          needed(needed_cells),
          available(available_cells) {}
    int64_t needed;
    int64_t available;
};

// Plans the evaluation of every node but those of `cached`, a path that is in the cache already
// (root first). Each node is evaluated once, in one wave; a wave keeps what the next one shares.
BatchPlan plan_batches(const PrefixTree& tree, const std::vector<int32_t>& cached,
                       const BatchLimits& limits);

// How many nodes of `path` (root first) the k-th sorted sequence passes through.
int32_t shared_with(const PrefixTree& tree, const std::vector<int32_t>& path, size_t k);

// The longest path from the root whose tokens are a prefix of `tokens` and that need not be computed
// again. Logits are not kept with the cache, so a node that has logits to give is on it only if all
// they are wanted for is the next token of the path, whose log-probability is known (not NaN).
std::vector<int32_t> reusable_path(const PrefixTree& tree, const std::vector<int32_t>& tokens,
                                   const std::vector<double>& known);

// The first `length` nodes on the way from the root to `leaf`.
std::vector<int32_t> path_to(const PrefixTree& tree, int32_t leaf, int32_t length);

}  // namespace privrag
