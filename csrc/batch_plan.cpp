#include "batch_plan.h"

#include <algorithm>
#include <cmath>

namespace privrag {
namespace {

int64_t own_nodes_end(const PrefixTree& tree, size_t last) {
    return last < tree.order().size() ? tree.first_own_node(last)
                                      : static_cast<int64_t>(tree.nodes().size());
}

int64_t own_nodes(const PrefixTree& tree, size_t first, size_t last) {
    return own_nodes_end(tree, last) - tree.first_own_node(first);
}

// Cells that sequences [first, last) fill: what they share with their predecessor, and their own.
int64_t cells_of(const PrefixTree& tree, size_t first, size_t last) {
    return tree.shared(first) + own_nodes(tree, first, last);
}

// A token pays for every cell in the cache, also for those of branches that it does not see. So a
// wave takes no more than fills the batches that its first sequence begins: then the branches that
// are done make way.
std::vector<Wave> plan_waves(const PrefixTree& tree, const BatchLimits& limits) {
    std::vector<Wave> waves;
    const size_t count = tree.order().size();
    for (size_t first = 0; first < count;) {
        if (const int64_t needed = cells_of(tree, first, first + 1); needed > limits.cells) {
            throw TooLong(needed, limits.cells);
        }
        const int64_t batches =
            (own_nodes(tree, first, first + 1) + limits.batch - 1) / limits.batch;
        size_t last = first + 1;
        while (last < count && last - first < static_cast<size_t>(limits.sequences) &&
               cells_of(tree, first, last + 1) <= limits.cells &&
               own_nodes(tree, first, last + 1) <= batches * limits.batch) {
            ++last;
        }
        waves.push_back({first, last, {}, {}});
        first = last;
    }
    return waves;
}

void fill_batches(const PrefixTree& tree, const BatchLimits& limits, Wave& wave,
                  const std::vector<bool>& in_cache) {
    int32_t outputs = 0;
    const int64_t end = own_nodes_end(tree, wave.last);
    for (int64_t n = tree.first_own_node(wave.first); n < end; ++n) {
        const auto index = static_cast<size_t>(n);
        if (in_cache[index]) {
            continue;
        }
        const bool output = tree.nodes()[index].output();
        const bool full = !wave.batches.empty() &&
                          (wave.batches.back().size() == static_cast<size_t>(limits.batch) ||
                           (output && outputs == limits.outputs));
        if (wave.batches.empty() || full) {
            wave.batches.emplace_back();
            outputs = 0;
        }
        wave.batches.back().push_back(static_cast<int32_t>(n));
        outputs += output;
    }
}

// Drops the end of a path as long as it has logits to give, which nobody knows any more.
void drop_outputs(const PrefixTree& tree, std::vector<int32_t>& path) {
    while (!path.empty() && tree.nodes()[static_cast<size_t>(path.back())].output()) {
        path.pop_back();
    }
}

}  // namespace

std::vector<int32_t> path_to(const PrefixTree& tree, int32_t leaf, int32_t length) {
    std::vector<int32_t> path(static_cast<size_t>(length));
    for (int32_t node = leaf; node >= 0;) {
        const auto& entry = tree.nodes()[static_cast<size_t>(node)];
        if (entry.position < length) {
            path[static_cast<size_t>(entry.position)] = node;
        }
        node = entry.parent;
    }
    return path;
}

int32_t shared_with(const PrefixTree& tree, const std::vector<int32_t>& path, size_t k) {
    const auto passes = [&](int32_t node) {
        const auto& entry = tree.nodes()[static_cast<size_t>(node)];
        return entry.first <= static_cast<int32_t>(k) && static_cast<int32_t>(k) < entry.last;
    };
    return static_cast<int32_t>(std::partition_point(path.begin(), path.end(), passes) -
                                path.begin());
}

std::vector<int32_t> reusable_path(const PrefixTree& tree, const std::vector<int32_t>& tokens,
                                   const std::vector<double>& known) {
    std::vector<int32_t> path;
    int32_t parent = -1;
    const auto& nodes = tree.nodes();
    const auto gives_only = [&](int32_t from, const PrefixNode& child) {
        if (from < 0 || !nodes[static_cast<size_t>(from)].output()) {
            return true;
        }
        return nodes[static_cast<size_t>(from)].scored_children == 1 && child.scored &&
               !std::isnan(known[path.size()]);
    };
    // Depth-first order: the child sought stands behind its parent and behind its elder siblings.
    for (size_t n = 0; n < nodes.size() && path.size() < tokens.size(); ++n) {
        if (nodes[n].parent < parent) {
            break;  // left the subtree
        }
        if (nodes[n].parent != parent || nodes[n].token != tokens[path.size()]) {
            continue;
        }
        if (!gives_only(parent, nodes[n])) {
            break;
        }
        parent = static_cast<int32_t>(n);
        path.push_back(parent);
    }
    drop_outputs(tree, path);
    return path;
}

BatchPlan plan_batches(const PrefixTree& tree, const std::vector<int32_t>& cached,
                       const BatchLimits& limits) {
    BatchPlan plan;
    plan.waves = plan_waves(tree, limits);
    if (plan.waves.empty()) {
        return plan;
    }
    auto& waves = plan.waves;
    // Between waves one path survives, so the cached one is good for the first wave only.
    auto& kept = waves.front().kept;
    for (const int32_t node : cached) {
        if (tree.nodes()[static_cast<size_t>(node)].first >=
            static_cast<int32_t>(waves.front().last)) {
            drop_outputs(tree, kept);
            break;
        }
        kept.push_back(node);
    }
    std::vector<bool> in_cache(tree.nodes().size(), false);
    for (const int32_t node : kept) {
        in_cache[static_cast<size_t>(node)] = true;
    }
    plan.reused = static_cast<int64_t>(kept.size());
    plan.evaluated = static_cast<int64_t>(tree.nodes().size()) - plan.reused;

    for (size_t w = 0; w < waves.size(); ++w) {
        if (w > 0) {
            const size_t first = waves[w].first;
            waves[w].kept = path_to(tree, tree.leaf(first - 1), tree.shared(first));
        }
        fill_batches(tree, limits, waves[w], in_cache);
    }
    return plan;
}

}  // namespace privrag
