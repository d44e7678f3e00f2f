// The prefix tree of token sequences: every shared prefix is one path, every unique token one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "token_sequences.h"

namespace privrag {

struct PrefixNode {
    int32_t token;
    int32_t position;  // depth, counted from 0
    int32_t parent;    // index of the parent node, -1 for a root
    int32_t first;     // sequences [first, last) in sorted order pass through this node
    int32_t last;
    bool scored;  // some sequence has this token in its continuation
    int32_t scored_children;

    bool output() const { return scored_children > 0; }  // logits are needed here
};

// Nodes stand in depth-first order, parents before children. Sequences are kept in lexicographic
// order, in which those that pass through a node are neighbors: a range instead of a set.
class PrefixTree {
public:
    explicit PrefixTree(const TokenSequences& sequences);

    const std::vector<PrefixNode>& nodes() const { return nodes_; }
    // order()[k] is the caller's index of the k-th sequence in sorted order.
    const std::vector<size_t>& order() const { return order_; }
    // leaf(k) is the node in which the k-th sorted sequence ends; -1 for an empty sequence.
    int32_t leaf(size_t k) const { return leaves_[k]; }
    // shared(k) is the length of the common prefix of sorted sequences k - 1 and k; 0 for k = 0.
    int32_t shared(size_t k) const { return shared_[k]; }
    // Index of the first node that sequence k has beyond its predecessors.
    int32_t first_own_node(size_t k) const { return first_own_[k]; }

private:
    std::vector<PrefixNode> nodes_;
    std::vector<size_t> order_;
    std::vector<int32_t> leaves_;
    std::vector<int32_t> shared_;
    std::vector<int32_t> first_own_;
};

int32_t common_prefix(const int32_t* a, int32_t a_length, const int32_t* b, int32_t b_length);

}  // namespace privrag
