// Python bindings: checks arguments, releases the GIL, translates errors. No logic of its own.

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "restorer.h"
#include "span_decoder.h"
#include "span_inputs.h"
#include "tree_scorer.h"
#include "word_piece.h"

namespace py = pybind11;
using namespace pybind11::literals;

namespace {

using privrag::TreeScorer;

template <typename T>
using Array = py::array_t<T, py::array::c_style>;

using PythonStop = std::optional<std::function<bool()>>;
using PythonSink = std::optional<std::function<py::object(int32_t)>>;

// Moves a vector into a numpy array, which then owns it: no copy.
template <typename T>
py::array_t<T> to_numpy(std::vector<T>&& values) {
    auto owner = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owner->data();
    const auto size = static_cast<py::ssize_t>(owner->size());
    py::capsule free(owner.get(), [](void* p) { delete static_cast<std::vector<T>*>(p); });
    owner.release();
    return py::array_t<T>(size, data, free);
}

// Runs in a thread without the GIL: takes it, lets Ctrl-C raise, then asks the caller.
privrag::StopCheck stop_check(const PythonStop& should_stop) {
    return [&should_stop] {
        const py::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) {
            throw py::error_already_set();
        }
        return should_stop && (*should_stop)();
    };
}

privrag::TokenSequences checked_sequences(const Array<int32_t>& tokens,
                                          const Array<int64_t>& offsets,
                                          const Array<int32_t>& prompt_lengths, int32_t n_vocab) {
    const auto fail = [](const std::string& what) { throw py::value_error(what); };
    if (tokens.ndim() != 1 || offsets.ndim() != 1 || prompt_lengths.ndim() != 1) {
        fail("tokens, offsets and prompt_lengths must be one-dimensional");
    }
    const auto count = prompt_lengths.size();
    if (offsets.size() != count + 1) {
        fail("offsets must have one more element than prompt_lengths, got " +
             std::to_string(offsets.size()) + " and " + std::to_string(count));
    }
    const int64_t* o = offsets.data();
    if (o[0] != 0 || o[count] != tokens.size()) {
        fail("offsets must run from 0 to len(tokens)");
    }
    for (py::ssize_t i = 0; i < count; ++i) {
        const int64_t length = o[i + 1] - o[i];
        if (length < 0 || prompt_lengths.data()[i] < 1 || prompt_lengths.data()[i] > length) {
            fail("sequence " + std::to_string(i) +
                 " needs 1 <= prompt length <= length, got prompt " +
                 std::to_string(prompt_lengths.data()[i]) + " of " + std::to_string(length));
        }
    }
    for (py::ssize_t i = 0; i < tokens.size(); ++i) {
        if (tokens.data()[i] < 0 || tokens.data()[i] >= n_vocab) {
            fail("tokens must lie in [0, " + std::to_string(n_vocab) + "), got " +
                 std::to_string(tokens.data()[i]));
        }
    }
    return {tokens.data(), o, prompt_lengths.data(), static_cast<size_t>(count)};
}

int32_t vocab_size(const TreeScorer& scorer) {
    if (scorer.closed()) {
        throw privrag::LlamaError("the scorer is closed");
    }
    return llama_vocab_n_tokens(scorer.vocab());
}

py::dict score(TreeScorer& scorer, const Array<int32_t>& tokens, const Array<int64_t>& offsets,
               const Array<int32_t>& prompt_lengths, const PythonStop& should_stop) {
    const auto sequences = checked_sequences(tokens, offsets, prompt_lengths, vocab_size(scorer));
    privrag::Scores scores;
    {
        const py::gil_scoped_release nogil;
        scores = scorer.score(sequences, stop_check(should_stop));
    }
    return py::dict("log_probs"_a = to_numpy(std::move(scores.log_probs)),
                    "offsets"_a = to_numpy(std::move(scores.offsets)),
                    "sums"_a = to_numpy(std::move(scores.sums)), "asked"_a = scores.asked,
                    "unique"_a = scores.unique, "evaluated"_a = scores.evaluated,
                    "reused"_a = scores.reused);
}

std::vector<int32_t> checked_tokens(const TreeScorer& scorer, const Array<int32_t>& array) {
    const int32_t n_vocab = vocab_size(scorer);
    std::vector<int32_t> tokens(array.data(), array.data() + array.size());
    if (tokens.empty()) {
        throw py::value_error("at least one token is needed");
    }
    for (const int32_t token : tokens) {
        if (token < 0 || token >= n_vocab) {
            throw py::value_error("tokens must lie in [0, " + std::to_string(n_vocab) + ")");
        }
    }
    return tokens;
}

void save_trunk(TreeScorer& scorer, const std::string& file, const Array<int32_t>& array,
                const PythonStop& should_stop) {
    const auto tokens = checked_tokens(scorer, array);
    const py::gil_scoped_release nogil;
    scorer.save_trunk(file, tokens, stop_check(should_stop));
}

py::array_t<int32_t> load_trunk(TreeScorer& scorer, const std::string& file) {
    std::vector<int32_t> tokens;
    {
        const py::gil_scoped_release nogil;
        tokens = scorer.load_trunk(file);
    }
    return to_numpy(std::move(tokens));
}

py::tuple draft(TreeScorer& scorer, const Array<int32_t>& prompt, int32_t max_tokens,
                const PythonSink& on_token, const PythonStop& should_stop) {
    const auto tokens = checked_tokens(scorer, prompt);
    if (max_tokens < 0) {
        throw py::value_error("max_tokens must be 0 or more");
    }
    privrag::Draft result;
    {
        const py::gil_scoped_release nogil;
        result = scorer.draft(tokens, max_tokens, stop_check(should_stop), [&](int32_t token) {
            if (!on_token) {
                return false;
            }
            const py::gil_scoped_acquire gil;
            return static_cast<bool>(py::bool_((*on_token)(token)));
        });
    }
    return py::make_tuple(to_numpy(std::move(result.tokens)), to_numpy(std::move(result.log_probs)),
                          result.finished);
}

py::array_t<float> next_log_probs(TreeScorer& scorer, const Array<int32_t>& array, int32_t count,
                                  const PythonStop& should_stop) {
    const auto tokens = checked_tokens(scorer, array);
    const auto most = std::min(static_cast<int32_t>(tokens.size()), scorer.max_rows());
    if (count < 1 || count > most) {
        throw py::value_error("count must lie in [1, " + std::to_string(most) + "]");
    }
    std::vector<float> rows;
    {
        const py::gil_scoped_release nogil;
        rows = scorer.next_log_probs(tokens, count, stop_check(should_stop));
    }
    return to_numpy(std::move(rows)).reshape({count, -1});
}

py::array_t<int32_t> tokenize(const TreeScorer& scorer, const std::string& text, bool add_special,
                              bool parse_special) {
    vocab_size(scorer);
    const auto size = static_cast<int32_t>(text.size());
    std::vector<int32_t> tokens(text.size() + 8);
    const auto call = [&] {
        return llama_tokenize(scorer.vocab(), text.data(), size, tokens.data(),
                              static_cast<int32_t>(tokens.size()), add_special, parse_special);
    };
    int32_t count = call();
    if (count < 0) {
        tokens.resize(static_cast<size_t>(-static_cast<int64_t>(count)));
        count = call();
    }
    tokens.resize(static_cast<size_t>(count));
    return to_numpy(std::move(tokens));
}

py::bytes piece(const TreeScorer& scorer, int32_t token, bool special) {
    if (token < 0 || token >= vocab_size(scorer)) {
        throw py::value_error("no such token");
    }
    std::string text(64, '\0');
    const auto call = [&] {
        return llama_token_to_piece(scorer.vocab(), token, text.data(),
                                    static_cast<int32_t>(text.size()), 0, special);
    };
    int32_t size = call();
    if (size < 0) {
        text.resize(static_cast<size_t>(-static_cast<int64_t>(size)));
        size = call();
    }
    return py::bytes(text.data(), static_cast<size_t>(size));
}

std::optional<std::string> chat_template(const TreeScorer& scorer) {
    vocab_size(scorer);
    const char* text = llama_model_chat_template(scorer.model(), nullptr);
    return text == nullptr ? std::nullopt : std::optional<std::string>(text);
}

std::optional<std::string> metadata(const TreeScorer& scorer, const std::string& key) {
    vocab_size(scorer);
    const auto call = [&](std::string& text) {
        return llama_model_meta_val_str(scorer.model(), key.c_str(), text.data(), text.size() + 1);
    };
    std::string text;
    const int32_t size = call(text);
    if (size < 0) {
        return std::nullopt;
    }
    text.resize(static_cast<size_t>(size));
    call(text);
    return text;
}

py::dict special_tokens(const TreeScorer& scorer) {
    const int32_t n_vocab = vocab_size(scorer);
    std::vector<int32_t> control;
    for (int32_t token = 0; token < n_vocab; ++token) {
        if (llama_vocab_is_control(scorer.vocab(), token)) {
            control.push_back(token);
        }
    }
    return py::dict("bos"_a = llama_vocab_bos(scorer.vocab()),
                    "eos"_a = llama_vocab_eos(scorer.vocab()),
                    "adds_bos"_a = llama_vocab_get_add_bos(scorer.vocab()), "control"_a = control);
}

std::tuple<py::array_t<int32_t>, py::array_t<float>> decode_spans(const Array<float>& logits,
                                                                  const Array<float>& thresholds,
                                                                  bool flat, bool multi_label) {
    if (logits.ndim() != 3 || thresholds.ndim() != 1 || thresholds.size() != logits.shape(2)) {
        throw py::value_error(
            "logits must be float32 [words, max_width, labels] and thresholds float32 [labels]");
    }
    std::vector<privrag::DecodedSpan> spans;
    {
        const py::gil_scoped_release nogil;
        spans = privrag::decode_spans(logits.data(), logits.shape(0), logits.shape(1),
                                      logits.shape(2), thresholds.data(), flat, multi_label);
    }
    const auto count = static_cast<py::ssize_t>(spans.size());
    py::array_t<int32_t> positions({count, py::ssize_t{3}});
    py::array_t<float> scores(count);
    auto position = positions.mutable_unchecked<2>();
    auto score_out = scores.mutable_unchecked<1>();
    for (py::ssize_t i = 0; i < count; ++i) {
        const auto& span = spans[static_cast<size_t>(i)];
        position(i, 0) = span.start;
        position(i, 1) = span.end;
        position(i, 2) = span.label;
        score_out(i) = span.score;
    }
    return {positions, scores};
}

std::string_view ascii(const py::str& text) {
    if (!PyUnicode_IS_ASCII(text.ptr())) {
        throw py::value_error("the text is not ASCII");
    }
    return {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(text.ptr())), py::len(text)};
}

// Ids of all words, of each word how many, -1 where WordPiece does not read it, and whether it
// reads them all.
std::tuple<py::array_t<int64_t>, py::array_t<int64_t>, bool> encode_words(
    const privrag::WordPiece& own, const std::vector<py::str>& words) {
    std::vector<int64_t> ids;
    ids.reserve(2 * words.size());
    py::array_t<int64_t> counts(static_cast<py::ssize_t>(words.size()));
    int64_t* count = counts.mutable_data();
    bool all = true;
    for (const py::str& word : words) {
        const bool reads =
            PyUnicode_IS_ASCII(word.ptr()) && privrag::WordPiece::reads(ascii(word));
        *count++ = reads ? own.encode(ascii(word), ids) : -1;
        all = all && reads;
    }
    return {py::array_t<int64_t>(static_cast<py::ssize_t>(ids.size()), ids.data()), counts, all};
}

// Of a text in printable ASCII and white space: where its words are, their ids, and of each how
// many.
std::tuple<py::array_t<int64_t>, py::array_t<int64_t>, py::array_t<int64_t>> encode_text(
    const privrag::WordPiece& own, const py::str& text, size_t max_characters) {
    const std::string_view whole = ascii(text);
    const std::vector<privrag::WordSpan> words = privrag::split_words(whole);
    std::vector<int64_t> ids;
    ids.reserve(2 * words.size());
    py::array_t<int64_t> spans({static_cast<py::ssize_t>(words.size()), py::ssize_t{2}});
    py::array_t<int64_t> counts(static_cast<py::ssize_t>(words.size()));
    int64_t* span = spans.mutable_data();
    int64_t* count = counts.mutable_data();
    for (const privrag::WordSpan& word : words) {
        *span++ = static_cast<int64_t>(word.begin);
        *span++ = static_cast<int64_t>(word.end);
        const std::string_view own_text = whole.substr(word.begin, word.end - word.begin);
        *count++ = own.encode(own_text.substr(0, max_characters), ids);
    }
    return {spans, py::array_t<int64_t>(static_cast<py::ssize_t>(ids.size()), ids.data()), counts};
}

using SpanRowArrays =
    std::tuple<Array<int64_t>, Array<int64_t>, Array<int64_t>, Array<int64_t>>;

privrag::SpanRow span_row(const SpanRowArrays& arrays) {
    const auto& [head, ids, counts, tail] = arrays;
    int64_t tokens = 0;
    for (py::ssize_t i = 0; i < counts.size(); ++i) {
        if (counts.data()[i] < 1) {
            throw py::value_error("a word has no token");
        }
        tokens += counts.data()[i];
    }
    if (tokens != ids.size()) {
        throw py::value_error("ids and counts are not of the same words");
    }
    return {head.data(),   static_cast<size_t>(head.size()),
            ids.data(),    static_cast<size_t>(ids.size()),
            counts.data(), static_cast<size_t>(counts.size()),
            tail.data(),   static_cast<size_t>(tail.size())};
}

template <typename T>
py::array_t<T> zeros(const std::vector<size_t>& shape) {
    py::array_t<T> array(shape);
    std::fill_n(array.mutable_data(), array.size(), T{});
    return array;
}

// In the order of `privrag::SpanInputs`.
py::tuple span_inputs(const std::vector<SpanRowArrays>& arrays, size_t max_width) {
    std::vector<privrag::SpanRow> rows;
    rows.reserve(arrays.size());
    for (const SpanRowArrays& row : arrays) {
        rows.push_back(span_row(row));
    }
    const privrag::SpanShape shape = privrag::shape_of(rows);
    const size_t count = rows.size();
    const size_t spans = shape.words * max_width;
    auto ids = zeros<int64_t>({count, shape.tokens});
    auto attention = zeros<int64_t>({count, shape.tokens});
    auto words = zeros<int64_t>({count, shape.tokens});
    auto lengths = zeros<int64_t>({count, size_t{1}});
    auto span_idx = zeros<int64_t>({count, spans, size_t{2}});
    auto span_mask = zeros<bool>({count, spans});
    privrag::fill(rows, shape, max_width,
                  {ids.mutable_data(), attention.mutable_data(), words.mutable_data(),
                   lengths.mutable_data(), span_idx.mutable_data(), span_mask.mutable_data()});
    return py::make_tuple(ids, attention, words, lengths, span_idx, span_mask);
}

// A Python string may hold lone surrogates, which pybind11's own conversion refuses.
std::u32string to_u32(const py::str& text) {
    std::u32string out(py::len(text), U'\0');
    if (!out.empty() &&
        PyUnicode_AsUCS4(text.ptr(), reinterpret_cast<Py_UCS4*>(out.data()),
                         static_cast<py::ssize_t>(out.size()), 0) == nullptr) {
        throw py::error_already_set();
    }
    return out;
}

py::str to_python(const std::u32string& text) {
    PyObject* made = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text.data(),
                                               static_cast<py::ssize_t>(text.size()));
    if (made == nullptr) {
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::str>(made);
}

using PlaceholderValue = std::tuple<py::str, py::str, int32_t, py::str>;

std::unique_ptr<privrag::Restorer> make_restorer(const std::vector<PlaceholderValue>& issued,
                                                 bool json) {
    std::vector<privrag::Placeholder> placeholders;
    std::vector<std::u32string> values;
    for (const auto& [label, lower, number, value] : issued) {
        placeholders.push_back({to_u32(label), to_u32(lower), number});
        values.push_back(to_u32(value));
    }
    return std::make_unique<privrag::Restorer>(placeholders, std::move(values), json);
}

// The tree and the plan as data, for tests that need no model.
py::dict plan(const Array<int32_t>& tokens, const Array<int64_t>& offsets,
              const Array<int32_t>& prompt_lengths, const std::vector<int32_t>& cached,
              const std::vector<double>& known, const privrag::BatchLimits& limits) {
    if (known.size() != cached.size()) {
        throw py::value_error("known must have one value per cached token");
    }
    const auto sequences = checked_sequences(tokens, offsets, prompt_lengths,
                                             std::numeric_limits<int32_t>::max());
    const privrag::PrefixTree tree(sequences);
    const auto result =
        privrag::plan_batches(tree, privrag::reusable_path(tree, cached, known), limits);
    py::list nodes;
    for (const auto& node : tree.nodes()) {
        nodes.append(py::make_tuple(node.token, node.position, node.parent, node.first, node.last,
                                    node.scored, node.output()));
    }
    std::vector<int32_t> leaves;
    for (size_t k = 0; k < tree.order().size(); ++k) {
        leaves.push_back(tree.leaf(k));
    }
    py::list waves;
    for (const auto& wave : result.waves) {
        waves.append(py::make_tuple(wave.first, wave.last, wave.kept, wave.batches));
    }
    return py::dict("nodes"_a = nodes, "order"_a = tree.order(), "leaves"_a = leaves,
                    "waves"_a = waves, "evaluated"_a = result.evaluated,
                    "reused"_a = result.reused);
}

}  // namespace

PYBIND11_MODULE(_native, m) {
    m.doc() = "Compiled core of privrag_fast. Import it through privrag_fast.native.";
    m.attr("LLAMA_CPP_PYTHON_VERSION") = PRIVRAG_LLAMA_CPP_PYTHON_VERSION;

    static py::exception<privrag::LlamaError> llama_error(m, "LlamaError", PyExc_RuntimeError);
    static py::exception<privrag::Stopped> stopped(m, "Stopped", PyExc_RuntimeError);
    static py::exception<privrag::TooLong> too_long(m, "TooLong", PyExc_ValueError);
    py::register_exception_translator([](std::exception_ptr pointer) {
        try {
            std::rethrow_exception(pointer);
        } catch (const privrag::TooLong& error) {
            const auto arguments = py::make_tuple(error.needed, error.available);
            PyErr_SetObject(too_long.ptr(), arguments.ptr());
        } catch (const privrag::LlamaError& error) {
            py::set_error(llama_error, error.what());
        } catch (const privrag::Stopped& error) {
            py::set_error(stopped, error.what());
        } catch (const privrag::NotANumber& error) {
            py::set_error(PyExc_FloatingPointError, error.what());
        }
    });

    m.def("silence_llama", [] {
        llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
    });

    m.def("decode_spans", &decode_spans, "logits"_a.noconvert(), "thresholds"_a.noconvert(),
          py::kw_only(), "flat"_a = true, "multi_label"_a = false);

    m.def(
        "plan_batches",
        [](const Array<int32_t>& tokens, const Array<int64_t>& offsets,
           const Array<int32_t>& prompt_lengths, const std::vector<int32_t>& cached,
           const std::vector<double>& known, int32_t cells, int32_t batch, int32_t sequences,
           int32_t outputs) {
            return plan(tokens, offsets, prompt_lengths, cached, known,
                        {cells, batch, sequences, outputs});
        },
        "tokens"_a.noconvert(), "offsets"_a.noconvert(), "prompt_lengths"_a.noconvert(),
        "cached"_a, "known"_a, py::kw_only(), "cells"_a, "batch"_a, "sequences"_a, "outputs"_a);

    m.def("span_inputs", &span_inputs, "rows"_a, "max_width"_a);

    using privrag::WordPiece;
    py::class_<WordPiece>(m, "WordPiece")
        .def(py::init<const std::vector<std::pair<std::string, int64_t>>&, int64_t, size_t, bool>(),
             "vocabulary"_a, py::kw_only(), "unknown"_a, "max_characters"_a, "lowercase"_a)
        .def("encode", &encode_words, "words"_a)
        .def("encode_text", &encode_text, "text"_a, "max_characters"_a);

    // Keeps the GIL, which is its lock: a piece of an answer takes microseconds.
    using privrag::Restorer;
    py::class_<Restorer>(m, "Restorer")
        .def(py::init(&make_restorer), "issued"_a, py::kw_only(), "json"_a = false)
        .def("feed", [](Restorer& own, const py::str& piece) {
            return to_python(own.feed(to_u32(piece)));
        }, "piece"_a)
        .def("flush", [](Restorer& own) { return to_python(own.flush()); })
        .def("find", [](const Restorer& own, const py::str& text) {
            return own.find(to_u32(text));
        }, "text"_a)
        .def_property_readonly("unknown", [](const Restorer& own) {
            py::list names;
            for (const std::u32string& name : own.unknown()) {
                names.append(to_python(name));
            }
            return names;
        });

    const privrag::ScorerOptions defaults;
    py::class_<TreeScorer>(m, "TreeScorer")
        .def(py::init([](const std::string& model_path, int32_t n_ctx, int32_t n_batch,
                         int32_t n_seq_max, int32_t n_outputs, int32_t n_trunks,
                         int32_t trunk_cells, int32_t n_threads, int32_t n_gpu_layers, bool flash_attention, bool kv_float32) {
                 const py::gil_scoped_release nogil;
                 return std::make_unique<TreeScorer>(
                     model_path,
                     privrag::ScorerOptions{n_ctx, n_batch, n_seq_max, n_outputs, n_trunks, trunk_cells, n_threads,
                                            n_gpu_layers, flash_attention, kv_float32});
             }),
             "model_path"_a, py::kw_only(), "n_ctx"_a = defaults.n_ctx,
             "n_batch"_a = defaults.n_batch, "n_seq_max"_a = defaults.n_seq_max,
             "n_outputs"_a = defaults.n_outputs, "n_trunks"_a = defaults.n_trunks,
             "trunk_cells"_a = defaults.trunk_cells, "n_threads"_a = defaults.n_threads,
             "n_gpu_layers"_a = defaults.n_gpu_layers,
             "flash_attention"_a = defaults.flash_attention, "kv_float32"_a = defaults.kv_float32)
        .def("score", &score, "tokens"_a.noconvert(), "offsets"_a.noconvert(),
             "prompt_lengths"_a.noconvert(), py::kw_only(), "should_stop"_a = py::none())
        .def("draft", &draft, "prompt"_a.noconvert(), "max_tokens"_a, py::kw_only(),
             "on_token"_a = py::none(), "should_stop"_a = py::none())
        .def("next_log_probs", &next_log_probs, "tokens"_a.noconvert(), "count"_a, py::kw_only(),
             "should_stop"_a = py::none())
        .def("save_trunk", &save_trunk, "file"_a, "tokens"_a.noconvert(), py::kw_only(),
             "should_stop"_a = py::none())
        .def("load_trunk", &load_trunk, "file"_a)
        .def("tokenize", &tokenize, "text"_a, py::kw_only(), "add_special"_a = false,
             "parse_special"_a = false)
        .def("piece", &piece, "token"_a, py::kw_only(), "special"_a = false)
        .def("chat_template", &chat_template)
        .def("metadata", &metadata, py::arg("key"))
        .def("special_tokens", &special_tokens)
        .def_property_readonly("n_ctx", &TreeScorer::n_ctx)
        .def_property_readonly("shares_cells", &TreeScorer::shares_cells)
        .def_property_readonly("closed", &TreeScorer::closed)
        .def("close", [](TreeScorer& scorer) {
            {
                const py::gil_scoped_release nogil;  // a running call may need it to finish
                scorer.close();
            }
            scorer.free_model();  // with the GIL: nobody is inside tokenize() or piece()
        });
}
