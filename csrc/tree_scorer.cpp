#include "tree_scorer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "log_softmax.h"

namespace privrag {
namespace {

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
    model_.reset(llama_model_load_from_file(model_path.c_str(), model_params));
    if (!model_) {
        throw LlamaError("llama.cpp cannot load the model file");
    }
    vocab_ = llama_model_get_vocab(model_.get());
    n_vocab_ = static_cast<size_t>(llama_vocab_n_tokens(vocab_));
    shares_cells_ = !llama_model_is_recurrent(model_.get()) && !llama_model_is_hybrid(model_.get());

    const int32_t cores = std::max(1, static_cast<int32_t>(std::thread::hardware_concurrency()));
    const int32_t threads = options.n_threads > 0 ? options.n_threads : cores;
    const int32_t n_batch = std::min(options.n_batch, options.n_ctx);
    // llama.cpp reserves room for one token and one row of logits per sequence.
    const int32_t n_seq_max = std::min(options.n_seq_max, n_batch);
    const int32_t n_outputs = std::min(std::max(options.n_outputs, n_seq_max), n_batch);
    auto params = llama_context_default_params();
    params.n_ctx = static_cast<uint32_t>(options.n_ctx);
    params.n_batch = static_cast<uint32_t>(n_batch);
    params.n_ubatch = static_cast<uint32_t>(n_batch);
    params.n_seq_max = static_cast<uint32_t>(n_seq_max);
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
        throw LlamaError("llama.cpp cannot make a context for the model");
    }
    limits_ = {static_cast<int32_t>(llama_n_ctx(context_.get())), n_batch, n_seq_max,
               n_outputs};
    batch_ = std::make_shared<TokenBatch>(n_batch, n_seq_max);
}

Scores TreeScorer::score(const TokenSequences& sequences, const StopCheck& stop) {
    const std::lock_guard<std::mutex> lock(mutex_);
    require_open();
    try {
        return shares_cells_ ? score_tree(sequences, stop) : score_separately(sequences, stop);
    } catch (...) {
        forget();
        throw;
    }
}

Scores TreeScorer::score_tree(const TokenSequences& sequences, const StopCheck& stop) {
    const PrefixTree tree(sequences);
    const auto& nodes = tree.nodes();
    const auto plan = plan_batches(tree, reusable_path(tree, kept_tokens_), limits_);

    first_scored_.assign(nodes.size(), -1);
    next_scored_.assign(nodes.size(), -1);
    for (size_t n = nodes.size(); n-- > 0;) {
        if (nodes[n].scored) {
            const auto parent = static_cast<size_t>(nodes[n].parent);
            next_scored_[n] = first_scored_[parent];
            first_scored_[parent] = static_cast<int32_t>(n);
        }
    }

    std::vector<double> node_log_probs(nodes.size(), 0.0);
    for (const auto& wave : plan.waves) {
        start_wave(tree, wave);
        for (const auto& batch : wave.batches) {
            if (stop()) {
                throw Stopped();
            }
            decode(tree, wave, batch, node_log_probs);
        }
        kept_sequence_ = static_cast<llama_seq_id>(wave.last - 1 - wave.first);
    }
    if (!plan.waves.empty()) {
        keep(tree, plan.waves.back());
    }

    Scores scores;
    scores.unique = static_cast<int64_t>(nodes.size());
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
            node = nodes[n].parent;
        }
    }
    return scores;
}

Scores TreeScorer::score_separately(const TokenSequences& sequences, const StopCheck& stop) {
    Scores all;
    all.offsets.push_back(0);
    for (size_t i = 0; i < sequences.count; ++i) {
        forget();
        const int64_t offsets[] = {0, sequences.length(i)};
        const auto one = score_tree(
            {sequences.begin(i), offsets, sequences.prompt_lengths + i, 1}, stop);
        all.log_probs.insert(all.log_probs.end(), one.log_probs.begin(), one.log_probs.end());
        all.offsets.push_back(static_cast<int64_t>(all.log_probs.size()));
        all.sums.push_back(one.sums[0]);
        all.asked += one.asked;
        all.unique += one.unique;
        all.evaluated += one.evaluated;
    }
    forget();
    return all;
}

// Hands the kept path to the sequences of the wave that share it, and drops the rest.
void TreeScorer::start_wave(const PrefixTree& tree, const Wave& wave) {
    llama_memory_t memory = llama_get_memory(context_.get());
    if (wave.kept.empty()) {
        llama_memory_clear(memory, false);
        return;
    }
    const auto count = static_cast<llama_seq_id>(wave.last - wave.first);
    for (llama_seq_id id = 0; id < limits_.sequences; ++id) {
        if (id != kept_sequence_) {
            llama_memory_seq_rm(memory, id, -1, -1);
        }
    }
    const auto shared = [&](llama_seq_id id) {
        return id < count ? shared_with(tree, wave.kept, wave.first + static_cast<size_t>(id)) : 0;
    };
    for (llama_seq_id id = 0; id < count; ++id) {
        if (id != kept_sequence_ && shared(id) > 0) {
            llama_memory_seq_cp(memory, kept_sequence_, id, 0, shared(id));
        }
    }
    if (!llama_memory_seq_rm(memory, kept_sequence_, shared(kept_sequence_), -1)) {
        throw LlamaError("llama.cpp cannot cut a sequence of this model");
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
        batch_->add(node.token, node.position, first, last - first, node.output);
    }
    run_decode();
    for (size_t i = 0; i < batch.size(); ++i) {
        const auto n = static_cast<size_t>(batch[i]);
        if (!nodes[n].output) {
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

// The path of the caller's first sequence stays for the next call: callers put the original first.
void TreeScorer::keep(const PrefixTree& tree, const Wave& wave) {
    size_t kept = wave.last - 1;
    for (size_t k = wave.first; k < wave.last; ++k) {
        if (tree.order()[k] == 0) {
            kept = k;
        }
    }
    kept_sequence_ = static_cast<llama_seq_id>(kept - wave.first);
    kept_tokens_.clear();
    for (int32_t node = tree.leaf(kept); node >= 0;) {
        const auto& entry = tree.nodes()[static_cast<size_t>(node)];
        kept_tokens_.push_back(entry.token);
        node = entry.parent;
    }
    std::reverse(kept_tokens_.begin(), kept_tokens_.end());
}

Draft TreeScorer::draft(const std::vector<int32_t>& prompt, int32_t max_tokens,
                        const StopCheck& stop, const TokenSink& sink) {
    const std::lock_guard<std::mutex> lock(mutex_);
    require_open();
    const auto length = static_cast<int32_t>(prompt.size());
    if (length + max_tokens > limits_.cells) {
        throw TooLong(static_cast<int64_t>(length) + max_tokens, limits_.cells);
    }
    try {
        llama_memory_t memory = llama_get_memory(context_.get());
        int32_t done = std::min(
            common_prefix(prompt.data(), length, kept_tokens_.data(),
                          static_cast<int32_t>(kept_tokens_.size())),
            length - 1);
        if (!shares_cells_ || done == 0) {
            done = 0;
            llama_memory_clear(memory, false);
            kept_sequence_ = 0;
        } else {
            for (llama_seq_id id = 0; id < limits_.sequences; ++id) {
                llama_memory_seq_rm(memory, id, id == kept_sequence_ ? done : -1, -1);
            }
        }
        kept_tokens_.assign(prompt.begin(), prompt.begin() + done);
        while (done < length) {
            if (stop()) {
                throw Stopped();
            }
            const int32_t count = std::min(limits_.batch, length - done);
            decode_tokens(prompt.data() + done, count, done);
            done += count;
        }

        Draft draft;
        while (static_cast<int32_t>(draft.tokens.size()) < max_tokens) {
            const float* row = llama_get_logits_ith(context_.get(), -1);
            const int32_t token = argmax(row, n_vocab_);
            if (llama_vocab_is_eog(vocab_, token)) {
                draft.finished = true;
                break;
            }
            const double log_prob =
                static_cast<double>(row[token]) - checked_log_sum_exp(row, n_vocab_);
            draft.tokens.push_back(token);
            draft.log_probs.push_back(static_cast<float>(log_prob));
            sink(token);
            if (stop()) {
                throw Stopped();
            }
            if (static_cast<int32_t>(draft.tokens.size()) < max_tokens) {
                decode_tokens(&token, 1, done++);
            }
        }
        return draft;
    } catch (...) {
        forget();
        throw;
    }
}

void TreeScorer::decode_tokens(const int32_t* tokens, int32_t count, int32_t position) {
    batch_->clear();
    for (int32_t i = 0; i < count; ++i) {
        batch_->add(tokens[i], position + i, kept_sequence_, 1, i + 1 == count);
    }
    run_decode();
    kept_tokens_.insert(kept_tokens_.end(), tokens, tokens + count);
}

void TreeScorer::forget() {
    kept_tokens_.clear();
    kept_sequence_ = 0;
    if (context_) {
        llama_memory_clear(llama_get_memory(context_.get()), false);
    }
}

void TreeScorer::require_open() const {
    if (!context_) {
        throw LlamaError("the scorer is closed");
    }
}

void TreeScorer::close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    context_.reset();
}

void TreeScorer::free_model() {
    model_.reset();
    vocab_ = nullptr;
}

}  // namespace privrag
