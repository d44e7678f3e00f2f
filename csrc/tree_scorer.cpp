#include "tree_scorer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

#include "log_softmax.h"

namespace privrag {
namespace {

// The model's memory cannot drop a part of a sequence, so nothing can be shared.
struct CannotCut {};

// Tokens that a draft guesses ahead.
constexpr int32_t kGuessed = 6;

double checked_log_sum_exp(const float* row, size_t size) {
    const double normalizer = log_sum_exp(row, size);
    if (!std::isfinite(normalizer)) {
        throw LlamaError("the model's logits are not finite");
    }
    return normalizer;
}

}  // namespace

// The arrays behind a llama_batch. llama_batch_init would allocate n_seq_max ids for each token;
// here a token's ids are a window into one row 0, 1, 2, ..., since a node's sequences are a range.
class TreeScorer::TokenBatch {
public:
    TokenBatch(int32_t capacity, int32_t sequences)
        : ids_(static_cast<size_t>(sequences)),
          tokens_(static_cast<size_t>(capacity)),
          positions_(static_cast<size_t>(capacity)),
          counts_(static_cast<size_t>(capacity)),
          sequences_(static_cast<size_t>(capacity)),
          outputs_(static_cast<size_t>(capacity)) {
        std::iota(ids_.begin(), ids_.end(), 0);
    }

    void clear() { size_ = 0; }

    void add(int32_t token, int32_t position, int32_t first_id, int32_t id_count, bool output) {
        tokens_[size_] = token;
        positions_[size_] = position;
        counts_[size_] = id_count;
        sequences_[size_] = &ids_[static_cast<size_t>(first_id)];
        outputs_[size_] = output;
        ++size_;
    }

    llama_batch view() {
        llama_batch batch{};
        batch.n_tokens = static_cast<int32_t>(size_);
        batch.token = tokens_.data();
        batch.pos = positions_.data();
        batch.n_seq_id = counts_.data();
        batch.seq_id = sequences_.data();
        batch.logits = outputs_.data();
        return batch;
    }

private:
    std::vector<llama_seq_id> ids_;
    std::vector<llama_token> tokens_;
    std::vector<llama_pos> positions_;
    std::vector<int32_t> counts_;
    std::vector<llama_seq_id*> sequences_;
    std::vector<int8_t> outputs_;
    size_t size_ = 0;
};

TreeScorer::TreeScorer(const std::string& model_path, const ScorerOptions& options) {
    llama_backend_init();
    auto model_params = llama_model_default_params();
    model_params.n_gpu_layers = options.n_gpu_layers;
    // On CPUs with AMX, llama.cpp's product of quantized weights ends in a segmentation fault.
    if (std::string(llama_print_system_info()).find("AMX_INT8 = 1") != std::string::npos) {
        model_params.use_extra_bufts = false;
    }
    model_.reset(llama_model_load_from_file(model_path.c_str(), model_params));
    if (!model_) {
        throw LlamaError("llama.cpp cannot load the model file; a truncated download?");
    }
    vocab_ = llama_model_get_vocab(model_.get());
    n_vocab_ = static_cast<size_t>(llama_vocab_n_tokens(vocab_));

    const int32_t cores = std::max(1, static_cast<int32_t>(std::thread::hardware_concurrency()));
    const int32_t threads = options.n_threads > 0 ? options.n_threads : cores;
    const int32_t n_batch = std::min(options.n_batch, options.n_ctx);
    // llama.cpp reserves room for one token and one row of logits per sequence.
    shares_cells_ = !llama_model_is_recurrent(model_.get()) && !llama_model_is_hybrid(model_.get());
    n_trunks_ = shares_cells_ ? std::max(0, std::min(options.n_trunks, n_batch - 1)) : 0;
    const auto most = static_cast<int32_t>(llama_max_parallel_sequences());
    const int32_t n_seq_max = std::min(options.n_seq_max, std::min(n_batch, most) - n_trunks_);
    if (options.n_ctx < 1 || n_seq_max < 1) {
        throw std::invalid_argument("n_ctx, n_batch and n_seq_max must be 1 or more, and n_trunks "
                                    "less than " + std::to_string(most));
    }
    const int32_t n_ids = n_seq_max + n_trunks_;
    const int32_t n_outputs = std::min(std::max(options.n_outputs, n_ids), n_batch);
    auto params = llama_context_default_params();
    params.n_ctx = static_cast<uint32_t>(options.n_ctx);
    params.n_batch = static_cast<uint32_t>(n_batch);
    params.n_ubatch = static_cast<uint32_t>(n_batch);
    params.n_seq_max = static_cast<uint32_t>(n_ids);
    params.n_outputs_max = static_cast<uint32_t>(n_outputs);
    params.n_threads = threads;
    params.n_threads_batch = threads;
    params.flash_attn_type =
        options.flash_attention ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
    params.type_k = params.type_v = options.kv_float32 ? GGML_TYPE_F32 : GGML_TYPE_F16;
    params.kv_unified = true;  // sequences can share cells
    params.swa_full = true;    // a path can be cut anywhere, also under sliding-window attention
    params.no_perf = true;
    context_.reset(llama_init_from_model(model_.get(), params));
    if (!context_) {
        throw LlamaError("llama.cpp cannot make a context for the model: lower n_ctx");
    }
    limits_ = {static_cast<int32_t>(llama_n_ctx(context_.get())), n_batch, n_seq_max,
               n_outputs};
    trunk_cells_ = options.trunk_cells > 0 ? options.trunk_cells : limits_.cells / 2;
    batch_ = std::make_shared<TokenBatch>(n_batch, n_seq_max);
}

// One call at a time. After a failure of llama.cpp nothing in the cache is trusted; after anything
// else, a stop or a caller's exception, the trunks still stand.
template <typename Call>
auto TreeScorer::guarded(const Call& call) -> decltype(call()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    require_open();
    try {
        return call();
    } catch (const LlamaError&) {
        trunks_.clear();
        llama_memory_clear(llama_get_memory(context_.get()), false);
        throw;
    } catch (...) {
        clear_working_sequences();
        throw;
    }
}

Scores TreeScorer::score(const TokenSequences& sequences, const StopCheck& stop) {
    return guarded([&] {
        if (shares_cells_) {
            try {
                return score_tree(sequences, stop);
            } catch (const CannotCut&) {
                shares_cells_ = false;
                n_trunks_ = 0;
                trunks_.clear();
            }
        }
        return score_separately(sequences, stop);
    });
}

Scores TreeScorer::score_tree(const TokenSequences& sequences, const StopCheck& stop) {
    const PrefixTree tree(sequences);
    link_scored_children(tree);
    std::vector<double> node_log_probs(tree.nodes().size(), 0.0);
    const Reuse reuse = reuse_trunk(tree, longest_of(sequences), node_log_probs);
    BatchLimits limits = limits_;
    limits.cells -= held_cells() - reuse.common;
    const auto plan = plan_batches(tree, reuse.path, limits);

    llama_seq_id source = reuse.source;
    for (const auto& wave : plan.waves) {
        start_wave(tree, wave, source);
        for (const auto& batch : wave.batches) {
            if (stop()) {
                throw Stopped();
            }
            decode(tree, wave, batch, node_log_probs);
        }
        source = static_cast<llama_seq_id>(wave.last - wave.first) - 1;
    }
    if (!plan.waves.empty()) {
        keep_path(tree, plan.waves.back(), node_log_probs);
    }
    return gather(tree, sequences, plan, node_log_probs);
}

int32_t TreeScorer::longest_of(const TokenSequences& sequences) const {
    int32_t longest = 0;
    for (size_t i = 0; i < sequences.count; ++i) {
        longest = std::max(longest, sequences.length(i));
    }
    if (longest > limits_.cells) {
        throw TooLong(longest, limits_.cells);
    }
    return longest;
}

TreeScorer::Reuse TreeScorer::reuse_trunk(const PrefixTree& tree, int32_t longest,
                                          std::vector<double>& node_log_probs) {
    Reuse reuse;
    Trunk* trunk = nullptr;
    for (auto& candidate : trunks_) {
        auto path = reusable_path(tree, candidate.tokens, candidate.known);
        if (path.size() > reuse.path.size()) {
            trunk = &candidate;
            reuse.path = std::move(path);
        }
    }
    if (trunk == nullptr) {
        make_room(longest, nullptr);
        return reuse;
    }
    reuse.source = trunk->id;
    if (2 * reuse.path.size() >= trunk->tokens.size()) {
        trunk->last_used = ++clock_;  // sharing no more than a first token is no use of it
    }
    for (size_t depth = 0; depth < reuse.path.size(); ++depth) {
        node_log_probs[static_cast<size_t>(reuse.path[depth])] = trunk->known[depth];
    }
    const auto in_all = [&](int32_t n) {
        const auto& node = tree.nodes()[static_cast<size_t>(n)];
        return node.first == 0 && static_cast<size_t>(node.last) == tree.order().size();
    };
    const auto end = std::partition_point(reuse.path.begin(), reuse.path.end(), in_all);
    reuse.common = static_cast<int32_t>(end - reuse.path.begin());
    make_room(longest - reuse.common, trunk);
    if (limits_.cells - held_cells() < longest - reuse.common) {
        reuse = {};  // the trunk's own tail is in the way
        make_room(longest, nullptr);
    }
    return reuse;
}

Scores TreeScorer::gather(const PrefixTree& tree, const TokenSequences& sequences,
                          const BatchPlan& plan, const std::vector<double>& node_log_probs) {
    Scores scores;
    scores.unique = static_cast<int64_t>(tree.nodes().size());
    scores.evaluated = plan.evaluated;
    scores.reused = plan.reused;
    scores.offsets.assign(sequences.count + 1, 0);
    for (size_t i = 0; i < sequences.count; ++i) {
        const int32_t continuation = sequences.length(i) - sequences.prompt_lengths[i];
        scores.offsets[i + 1] = scores.offsets[i] + continuation;
        scores.asked += sequences.length(i);
    }
    scores.log_probs.resize(static_cast<size_t>(scores.offsets.back()));
    scores.sums.assign(sequences.count, 0.0);
    for (size_t k = 0; k < sequences.count; ++k) {
        const size_t i = tree.order()[k];
        int32_t node = tree.leaf(k);
        for (int64_t at = scores.offsets[i + 1]; at-- > scores.offsets[i];) {
            const auto n = static_cast<size_t>(node);
            scores.log_probs[static_cast<size_t>(at)] = static_cast<float>(node_log_probs[n]);
            scores.sums[i] += node_log_probs[n];
            node = tree.nodes()[n].parent;
        }
    }
    return scores;
}

Scores TreeScorer::score_separately(const TokenSequences& sequences, const StopCheck& stop) {
    Scores all;
    all.offsets.push_back(0);
    for (size_t i = 0; i < sequences.count; ++i) {
        llama_memory_clear(llama_get_memory(context_.get()), false);
        const int64_t offsets[] = {0, sequences.length(i)};
        const auto one =
            score_tree({sequences.begin(i), offsets, sequences.prompt_lengths + i, 1}, stop);
        all.log_probs.insert(all.log_probs.end(), one.log_probs.begin(), one.log_probs.end());
        all.offsets.push_back(static_cast<int64_t>(all.log_probs.size()));
        all.sums.push_back(one.sums[0]);
        all.asked += one.asked;
        all.unique += one.unique;
        all.evaluated += one.evaluated;
    }
    return all;
}

void TreeScorer::link_scored_children(const PrefixTree& tree) {
    const auto& nodes = tree.nodes();
    first_scored_.assign(nodes.size(), -1);
    next_scored_.assign(nodes.size(), -1);
    for (size_t n = nodes.size(); n-- > 0;) {
        if (nodes[n].scored) {
            const auto parent = static_cast<size_t>(nodes[n].parent);
            next_scored_[n] = first_scored_[parent];
            first_scored_[parent] = static_cast<int32_t>(n);
        }
    }
}

// Hands the kept path to the sequences of the wave that share it, and drops all other working
// sequences. `source` is a trunk, or the last sequence of the wave before.
void TreeScorer::start_wave(const PrefixTree& tree, const Wave& wave, llama_seq_id source) {
    llama_memory_t memory = llama_get_memory(context_.get());
    if (wave.kept.empty()) {
        clear_working_sequences();
        return;
    }
    const auto count = static_cast<llama_seq_id>(wave.last - wave.first);
    const auto shared = [&](llama_seq_id id) {
        return id < count ? shared_with(tree, wave.kept, wave.first + static_cast<size_t>(id)) : 0;
    };
    for (llama_seq_id id = 0; id < limits_.sequences; ++id) {
        if (id == source) {
            continue;
        }
        llama_memory_seq_rm(memory, id, -1, -1);
        if (shared(id) > 0) {
            llama_memory_seq_cp(memory, source, id, 0, shared(id));
        }
    }
    if (source < limits_.sequences && !llama_memory_seq_rm(memory, source, shared(source), -1)) {
        throw CannotCut();
    }
}

void TreeScorer::decode(const PrefixTree& tree, const Wave& wave, const Batch& batch,
                        std::vector<double>& node_log_probs) {
    const auto& nodes = tree.nodes();
    const auto wave_first = static_cast<int32_t>(wave.first);
    const auto wave_last = static_cast<int32_t>(wave.last);
    batch_->clear();
    for (const int32_t n : batch) {
        const auto& node = nodes[static_cast<size_t>(n)];
        const int32_t first = std::max(node.first, wave_first) - wave_first;
        const int32_t last = std::min(node.last, wave_last) - wave_first;
        batch_->add(node.token, node.position, first, last - first, node.output());
    }
    run_decode();
    for (size_t i = 0; i < batch.size(); ++i) {
        const auto n = static_cast<size_t>(batch[i]);
        if (!nodes[n].output()) {
            continue;
        }
        const float* row = llama_get_logits_ith(context_.get(), static_cast<int32_t>(i));
        const double normalizer = checked_log_sum_exp(row, n_vocab_);
        for (int32_t child = first_scored_[n]; child >= 0;) {
            const auto c = static_cast<size_t>(child);
            node_log_probs[c] = static_cast<double>(row[nodes[c].token]) - normalizer;
            child = next_scored_[c];
        }
    }
}

void TreeScorer::run_decode() {
    const int32_t code = llama_decode(context_.get(), batch_->view());
    if (code != 0) {
        throw LlamaError("llama_decode failed with code " + std::to_string(code));
    }
}

// --- trunks

int32_t TreeScorer::held_cells() const {
    // Trunks that share a beginning are counted twice: too careful, never too bold.
    size_t cells = 0;
    for (const auto& trunk : trunks_) {
        cells += trunk.tokens.size();
    }
    return static_cast<int32_t>(cells);
}

void TreeScorer::make_room(int64_t cells, const Trunk* spared) {
    const llama_seq_id spared_id = spared != nullptr ? spared->id : -1;
    while (limits_.cells - held_cells() < cells) {
        size_t oldest = trunks_.size();
        for (size_t i = 0; i < trunks_.size(); ++i) {
            if (trunks_[i].id != spared_id &&
                (oldest == trunks_.size() || trunks_[i].last_used < trunks_[oldest].last_used)) {
                oldest = i;
            }
        }
        if (oldest == trunks_.size()) {
            return;
        }
        drop(oldest);
    }
}

void TreeScorer::drop(size_t trunk) {
    llama_memory_seq_rm(llama_get_memory(context_.get()), trunks_[trunk].id, -1, -1);
    trunks_.erase(trunks_.begin() + static_cast<std::ptrdiff_t>(trunk));
}

// The path of the caller's first sequence stays for later calls: callers put the original first.
void TreeScorer::keep_path(const PrefixTree& tree, const Wave& wave,
                           const std::vector<double>& node_log_probs) {
    size_t kept = wave.last - 1;
    for (size_t k = wave.first; k < wave.last; ++k) {
        if (tree.order()[k] == 0) {
            kept = k;
        }
    }
    std::vector<int32_t> tokens;
    std::vector<double> known;
    for (int32_t node = tree.leaf(kept); node >= 0;) {
        const auto& entry = tree.nodes()[static_cast<size_t>(node)];
        tokens.push_back(entry.token);
        known.push_back(entry.scored ? node_log_probs[static_cast<size_t>(node)]
                                     : std::numeric_limits<double>::quiet_NaN());
        node = entry.parent;
    }
    std::reverse(tokens.begin(), tokens.end());
    std::reverse(known.begin(), known.end());
    keep(static_cast<llama_seq_id>(kept - wave.first), std::move(tokens), std::move(known));
}

// Moves a working sequence to a trunk of its own, in place of one that it mostly repeats.
void TreeScorer::keep(llama_seq_id source, std::vector<int32_t> tokens,
                      std::vector<double> known) {
    llama_memory_t memory = llama_get_memory(context_.get());
    const size_t length = std::min(tokens.size(), static_cast<size_t>(trunk_cells_));
    tokens.resize(length);
    known.resize(length);
    if (n_trunks_ == 0 || length == 0) {
        clear_working_sequences();
        return;
    }
    for (size_t i = trunks_.size(); i-- > 0;) {
        const auto& other = trunks_[i].tokens;
        const auto shared = static_cast<size_t>(
            common_prefix(other.data(), static_cast<int32_t>(other.size()), tokens.data(),
                          static_cast<int32_t>(length)));
        if (2 * shared >= other.size()) {
            drop(i);
        }
    }
    while (!trunks_.empty() &&
           (trunks_.size() == static_cast<size_t>(n_trunks_) ||
            static_cast<size_t>(held_cells()) + length > static_cast<size_t>(trunk_cells_))) {
        const auto oldest = std::min_element(
            trunks_.begin(), trunks_.end(),
            [](const Trunk& a, const Trunk& b) { return a.last_used < b.last_used; });
        drop(static_cast<size_t>(oldest - trunks_.begin()));
    }
    llama_seq_id id = limits_.sequences;
    while (std::any_of(trunks_.begin(), trunks_.end(),
                       [&](const Trunk& trunk) { return trunk.id == id; })) {
        ++id;
    }
    llama_memory_seq_cp(memory, source, id, 0, static_cast<llama_pos>(length));
    trunks_.push_back({std::move(tokens), std::move(known), id, ++clock_});
    clear_working_sequences();
}

void TreeScorer::clear_working_sequences() {
    llama_memory_t memory = llama_get_memory(context_.get());
    if (trunks_.empty()) {
        llama_memory_clear(memory, false);
        return;
    }
    for (llama_seq_id id = 0; id < limits_.sequences; ++id) {
        llama_memory_seq_rm(memory, id, -1, -1);
    }
}

// --- single sequences

void TreeScorer::fill(const std::vector<int32_t>& tokens, int32_t room, const StopCheck& stop) {
    const auto length = static_cast<int32_t>(tokens.size());
    if (static_cast<int64_t>(length) + room > limits_.cells) {
        throw TooLong(static_cast<int64_t>(length) + room, limits_.cells);
    }
    llama_memory_t memory = llama_get_memory(context_.get());
    clear_working_sequences();
    const Trunk* best = nullptr;
    int32_t done = 0;
    for (auto& trunk : trunks_) {
        const int32_t shared =
            std::min(common_prefix(tokens.data(), length, trunk.tokens.data(),
                                   static_cast<int32_t>(trunk.tokens.size())),
                     length - 1);  // the last token gives logits
        if (shared > done) {
            done = shared;
            best = &trunk;
        }
    }
    make_room(length - done + room, best);
    if (limits_.cells - held_cells() < length - done + room) {
        done = 0;
        make_room(length + room, nullptr);
    } else if (best != nullptr) {
        for (const auto& trunk : trunks_) {  // evicting may have moved it
            if (common_prefix(tokens.data(), done, trunk.tokens.data(),
                              static_cast<int32_t>(trunk.tokens.size())) == done) {
                llama_memory_seq_cp(memory, trunk.id, 0, 0, done);
                break;
            }
        }
    }
    while (done < length) {
        if (stop()) {
            throw Stopped();
        }
        const int32_t count = std::min(limits_.batch, length - done);
        decode_tokens(tokens.data() + done, count, done, false);
        done += count;
    }
}

void TreeScorer::decode_tokens(const int32_t* tokens, int32_t count, int32_t position,
                               bool all_rows) {
    batch_->clear();
    for (int32_t i = 0; i < count; ++i) {
        batch_->add(tokens[i], position + i, 0, 1, all_rows || i + 1 == count);
    }
    run_decode();
}

Draft TreeScorer::draft(const std::vector<int32_t>& prompt, int32_t max_tokens,
                        const StopCheck& stop, const TokenSink& sink) {
    return guarded([&] {
        fill(prompt, max_tokens, stop);
        std::vector<int32_t> tokens = prompt;
        std::vector<double> known(prompt.size(), std::numeric_limits<double>::quiet_NaN());
        // Guesses stand in the cache behind `tokens`; the first `right` of them came true.
        std::vector<int32_t> step;
        size_t right = 0;
        int32_t row_index = -1;
        const auto drop_wrong_guesses = [&] {
            if (right + 1 < step.size()) {
                llama_memory_seq_rm(llama_get_memory(context_.get()), 0,
                                    static_cast<llama_pos>(tokens.size()), -1);
            }
        };
        Draft draft;
        while (static_cast<int32_t>(draft.tokens.size()) < max_tokens) {
            const float* row = llama_get_logits_ith(context_.get(), row_index);
            const int32_t token = argmax(row, n_vocab_);
            if (llama_vocab_is_eog(vocab_, token)) {
                draft.finished = true;
                break;
            }
            const double log_prob =
                static_cast<double>(row[token]) - checked_log_sum_exp(row, n_vocab_);
            draft.tokens.push_back(token);
            draft.log_probs.push_back(static_cast<float>(log_prob));
            if (sink(token)) {
                draft.finished = true;
                break;
            }
            if (stop()) {
                throw Stopped();
            }
            if (right + 1 < step.size() && step[right + 1] == token) {
                ++right;
            } else {
                drop_wrong_guesses();
                step = {token};
                append_guess(tokens, max_tokens - static_cast<int32_t>(draft.tokens.size()), step);
                decode_tokens(step.data(), static_cast<int32_t>(step.size()),
                              static_cast<int32_t>(tokens.size()), true);
                right = 0;
            }
            row_index = static_cast<int32_t>(right);
            tokens.push_back(token);
            known.push_back(log_prob);
        }
        drop_wrong_guesses();
        keep(0, std::move(tokens), std::move(known));
        return draft;
    });
}

std::vector<float> TreeScorer::next_log_probs(const std::vector<int32_t>& tokens, int32_t count,
                                              const StopCheck& stop) {
    return guarded([&] {
        std::vector<float> rows;
        rows.reserve(static_cast<size_t>(count) * n_vocab_);
        const auto take = [&](int32_t index) {
            const float* row = llama_get_logits_ith(context_.get(), index);
            const double normalizer = checked_log_sum_exp(row, n_vocab_);
            for (size_t token = 0; token < n_vocab_; ++token) {
                rows.push_back(static_cast<float>(static_cast<double>(row[token]) - normalizer));
            }
        };
        const int32_t more = count - 1;
        const std::vector<int32_t> path(tokens.begin(), tokens.end() - more);
        const auto length = static_cast<int32_t>(path.size());
        fill(path, more, stop);
        take(-1);
        if (more > 0) {
            decode_tokens(tokens.data() + length, more, length, true);
        }
        for (int32_t index = 0; index < more; ++index) {
            take(index);
        }
        keep(0, tokens,
             std::vector<double>(tokens.size(), std::numeric_limits<double>::quiet_NaN()));
        return rows;
    });
}

void TreeScorer::append_guess(const std::vector<int32_t>& before, int32_t most,
                              std::vector<int32_t>& step) const {
    if (!shares_cells_) {
        return;  // a recurrent memory forgets no tokens
    }
    most = std::min({most, kGuessed, limits_.batch - 1, limits_.outputs - 1});
    const auto size = static_cast<int32_t>(before.size());
    const int32_t last = step.front();
    int32_t found = -1;
    for (int32_t i = size - 1; i > 0 && found < 0; --i) {
        if (before[i] == last && before[i - 1] == before[size - 1]) {
            found = i;
        }
    }
    for (int32_t i = found + 1; found >= 0 && most > 0 && i < size; ++i, --most) {
        step.push_back(before[i]);
    }
}

void TreeScorer::save_trunk(const std::string& file, const std::vector<int32_t>& tokens,
                            const StopCheck& stop) {
    guarded([&] {
        fill(tokens, 0, stop);
        if (llama_state_seq_save_file(context_.get(), file.c_str(), 0, tokens.data(),
                                      tokens.size()) == 0) {
            throw LlamaError("llama.cpp cannot write the state file");
        }
        keep(0, tokens,
             std::vector<double>(tokens.size(), std::numeric_limits<double>::quiet_NaN()));
    });
}

std::vector<int32_t> TreeScorer::load_trunk(const std::string& file) {
    return guarded([&] {
        size_t count = 0;
        if (llama_state_seq_load_file(context_.get(), file.c_str(), 0, nullptr, 0, &count) == 0) {
            throw LlamaError("llama.cpp cannot read the state file");
        }
        if (count > static_cast<size_t>(limits_.cells)) {
            throw TooLong(static_cast<int64_t>(count), limits_.cells);
        }
        clear_working_sequences();
        make_room(static_cast<int64_t>(count), nullptr);
        std::vector<int32_t> tokens(count);
        if (llama_state_seq_load_file(context_.get(), file.c_str(), 0, tokens.data(), count,
                                      &count) == 0) {
            throw LlamaError("llama.cpp cannot read the state file: it is of another model");
        }
        keep(0, tokens, std::vector<double>(count, std::numeric_limits<double>::quiet_NaN()));
        return tokens;
    });
}

void TreeScorer::require_open() const {
    if (!context_) {
        throw LlamaError("the scorer is closed");
    }
}

void TreeScorer::close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    trunks_.clear();
    context_.reset();
}

void TreeScorer::free_model() {
    model_.reset();
    vocab_ = nullptr;
}

}  // namespace privrag
