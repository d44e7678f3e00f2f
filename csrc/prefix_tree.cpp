#include "prefix_tree.h"

#include <algorithm>
#include <numeric>

namespace privrag {

int32_t common_prefix(const int32_t* a, int32_t a_length, const int32_t* b, int32_t b_length) {
    const auto limit = std::min(a_length, b_length);
    return static_cast<int32_t>(std::mismatch(a, a + limit, b).first - a);
}

PrefixTree::PrefixTree(const TokenSequences& sequences)
    : order_(sequences.count),
      leaves_(sequences.count, -1),
      shared_(sequences.count, 0),
      first_own_(sequences.count, 0) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
        return std::lexicographical_compare(
            sequences.begin(a), sequences.begin(a) + sequences.length(a), sequences.begin(b),
            sequences.begin(b) + sequences.length(b));
    });

    std::vector<int32_t> path;  // nodes from the root to the end of the current sequence
    const auto close_below = [&](int32_t depth, size_t k) {
        while (static_cast<int32_t>(path.size()) > depth) {
            nodes_[static_cast<size_t>(path.back())].last = static_cast<int32_t>(k);
            path.pop_back();
        }
    };

    for (size_t k = 0; k < order_.size(); ++k) {
        const size_t i = order_[k];
        const int32_t* tokens = sequences.begin(i);
        const int32_t length = sequences.length(i);
        const int32_t prompt_length = sequences.prompt_lengths[i];
        if (k > 0) {
            const size_t previous = order_[k - 1];
            shared_[k] = common_prefix(sequences.begin(previous), sequences.length(previous),
                                       tokens, length);
        }
        close_below(shared_[k], k);
        first_own_[k] = static_cast<int32_t>(nodes_.size());
        for (int32_t position = shared_[k]; position < length; ++position) {
            const int32_t parent = path.empty() ? -1 : path.back();
            path.push_back(static_cast<int32_t>(nodes_.size()));
            nodes_.push_back({tokens[position], position, parent, static_cast<int32_t>(k), 0,
                              /*scored=*/false, /*scored_children=*/0});
        }
        // Shared tokens may be prompt for one sequence and continuation for another.
        for (int32_t position = std::max(prompt_length, 1); position < length; ++position) {
            auto& node = nodes_[static_cast<size_t>(path[static_cast<size_t>(position)])];
            if (!node.scored) {
                node.scored = true;
                ++nodes_[static_cast<size_t>(node.parent)].scored_children;
            }
        }
        leaves_[k] = path.empty() ? -1 : path.back();
    }
    close_below(0, order_.size());
}

}  // namespace privrag
