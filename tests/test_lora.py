"""Merging an adapter into a GGUF."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import pytest

from privrag_fast.llama import LanguageModel, LlamaOptions, requantize
from privrag_fast.lora import (
    Adapter,
    FloatArray,
    load_adapter,
    merge,
    rows_for_hugging_face,
    rows_for_llama_cpp,
    save_adapter,
)
from privrag_fast.models import sha256_of
from privrag_fast.relevance.counterfactual import Counterfactual
from privrag_fast.types import ChatMessage, InputError, ModelError
from tests.scorer.tiny_llama import write_tiny_llama

OPTIONS = LlamaOptions(n_ctx=512, n_threads=1, flash_attention=False, kv_float32=True)
SHAPES = {"blk.0.attn_q.weight": (32, 32), "blk.1.ffn_down.weight": (32, 64)}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return write_tiny_llama(tmp_path / "base.gguf")


def make_adapter(*, seed: int = 1, rank: int = 2, size: float = 0.3) -> Adapter:
    rng = np.random.default_rng(seed)

    def factor(*shape: int) -> FloatArray:
        # As it will be read: the file is float16.
        values = size * rng.standard_normal(shape)
        return values.astype(np.float16).astype(np.float32)

    factors = {n: (factor(rank, i), factor(o, rank)) for n, (o, i) in SHAPES.items()}
    return Adapter(rank, 4.0, factors)


def saved(path: Path, adapter: Adapter) -> Path:
    save_adapter(path, adapter)
    return path


def weights(path: Path) -> dict[str, FloatArray]:
    return {
        t.name: gguf.quants.dequantize(t.data, t.tensor_type)
        for t in gguf.GGUFReader(str(path)).tensors
    }


def likelihood(path: Path) -> float:
    model = LanguageModel(path, options=OPTIONS)
    prompt = model.render([ChatMessage("user", "Am I old enough?")])
    value = float(model.score([prompt], "Yes, you are 67.").log_likelihood[0])
    model.close()
    return value


def test_merged_equals_adding_by_hand(base: Path, tmp_path: Path) -> None:
    adapter = make_adapter()
    merge(base, saved(tmp_path / "a.npz", adapter), tmp_path / "out.gguf", ftype="F32")
    before, after = weights(base), weights(tmp_path / "out.gguf")
    assert before.keys() == after.keys()
    for name, weight in after.items():
        wanted = before[name]
        if name in SHAPES:
            a, b = adapter.factors[name]
            wanted = wanted + 4.0 / 2 * (b @ a)
            assert not np.allclose(weight, before[name], atol=0.01)
        np.testing.assert_allclose(weight, wanted, atol=1e-6)
    assert abs(likelihood(tmp_path / "out.gguf") - likelihood(base)) > 0.01


def test_bfloat16_is_the_default_and_norms_stay_exact(base: Path, tmp_path: Path) -> None:
    merge(base, saved(tmp_path / "a.npz", make_adapter()), tmp_path / "out.gguf")
    merge(base, tmp_path / "a.npz", tmp_path / "exact.gguf", ftype="F32")
    kinds = {t.name: t.tensor_type for t in gguf.GGUFReader(str(tmp_path / "out.gguf")).tensors}
    assert kinds["blk.0.attn_q.weight"] == gguf.GGMLQuantizationType.BF16
    assert kinds["blk.0.attn_norm.weight"] == gguf.GGMLQuantizationType.F32
    exact = weights(tmp_path / "exact.gguf")
    for name, weight in weights(tmp_path / "out.gguf").items():
        np.testing.assert_allclose(weight, exact[name], rtol=2**-8)
    assert likelihood(tmp_path / "out.gguf") == pytest.approx(
        likelihood(tmp_path / "exact.gguf"), abs=0.3
    )


def test_zero_adapter_scores_as_the_base(base: Path, tmp_path: Path) -> None:
    zero = make_adapter(size=0.0)
    merge(base, saved(tmp_path / "a.npz", zero), tmp_path / "out.gguf", ftype="F32")
    assert likelihood(tmp_path / "out.gguf") == likelihood(base)


def test_a_quantized_base_is_dequantized_first(base: Path, tmp_path: Path) -> None:
    requantize(base, tmp_path / "q8.gguf", "Q8_0")
    adapter = make_adapter()
    merge(tmp_path / "q8.gguf", saved(tmp_path / "a.npz", adapter), tmp_path / "out.gguf")
    name = "blk.1.ffn_down.weight"
    wanted = weights(tmp_path / "q8.gguf")[name] + adapter.change(name)
    np.testing.assert_allclose(weights(tmp_path / "out.gguf")[name], wanted, rtol=2**-8, atol=1e-6)


def test_metadata_and_tokenizer_are_kept(base: Path, tmp_path: Path) -> None:
    merge(base, saved(tmp_path / "a.npz", make_adapter()), tmp_path / "out.gguf")
    before = gguf.GGUFReader(str(base)).fields
    after = gguf.GGUFReader(str(tmp_path / "out.gguf")).fields
    for name, field in before.items():
        if not name.startswith("GGUF."):
            assert after[name].contents() == field.contents()
    assert after["general.file_type"].contents() == gguf.LlamaFileType.MOSTLY_BF16


def test_a_merged_model_says_so(base: Path, tmp_path: Path) -> None:
    """Then the counterfactual test asks as the adapter was trained to be asked."""
    path = saved(tmp_path / "a.npz", make_adapter())
    merge(base, path, tmp_path / "out.gguf")
    for file, digest in ((base, ""), (tmp_path / "out.gguf", sha256_of(path))):
        model = LanguageModel(file, options=LlamaOptions(n_ctx=256, n_threads=1))
        assert model.adapter == digest
        assert bool(Counterfactual(model)._options.examples) is not bool(digest)
        model.close()


def test_an_adapter_of_another_model_is_refused(base: Path, tmp_path: Path) -> None:
    a, b = np.ones((2, 48), np.float32), np.ones((32, 2), np.float32)
    wide = saved(tmp_path / "wide.npz", Adapter(2, 4.0, {"blk.0.attn_q.weight": (a, b)}))
    with pytest.raises(ModelError, match=r"attn_q.weight should be \[32, 48\], it is \[32, 32\]"):
        merge(base, wide, tmp_path / "out.gguf")
    deep = saved(tmp_path / "deep.npz", Adapter(2, 4.0, {"blk.9.attn_q.weight": (a, b)}))
    with pytest.raises(ModelError, match="it is not there"):
        merge(base, deep, tmp_path / "out.gguf")
    assert not (tmp_path / "out.gguf").exists()


def test_factors_of_another_rank_are_refused(tmp_path: Path) -> None:
    a, b = np.ones((3, 32), np.float32), np.ones((32, 2), np.float32)
    path = saved(tmp_path / "a.npz", Adapter(2, 4.0, {"blk.0.attn_q.weight": (a, b)}))
    with pytest.raises(ModelError, match=r"must have factors \[2, in\]"):
        load_adapter(path)


def test_files_that_are_no_adapter_or_no_model(base: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is not a file"):
        load_adapter(tmp_path / "missing.npz")
    (tmp_path / "text.npz").write_text("no")
    with pytest.raises(ModelError, match="no LoRA adapter"):
        load_adapter(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", x=np.ones(3))
    with pytest.raises(ModelError, match="no LoRA adapter"):
        load_adapter(tmp_path / "other.npz")
    adapter = saved(tmp_path / "a.npz", make_adapter())
    (tmp_path / "cut.npz").write_bytes(adapter.read_bytes()[:-200])
    with pytest.raises(ModelError, match="no LoRA adapter"):
        load_adapter(tmp_path / "cut.npz")
    with pytest.raises(ModelError, match="is not a file"):
        merge(tmp_path / "missing.gguf", adapter, tmp_path / "out.gguf")
    (tmp_path / "text.gguf").write_text("no model at all")
    with pytest.raises(ModelError, match="no GGUF"):
        merge(tmp_path / "text.gguf", adapter, tmp_path / "out.gguf")
    (tmp_path / "cut.gguf").write_bytes(base.read_bytes()[:3000])
    with pytest.raises(ModelError, match="no GGUF"):
        merge(tmp_path / "cut.gguf", adapter, tmp_path / "out.gguf")
    with pytest.raises(InputError, match="ftype must be one of"):
        merge(base, adapter, tmp_path / "out.gguf", ftype="Q4_1")


def test_an_adapter_survives_its_file_in_float16(tmp_path: Path) -> None:
    adapter = make_adapter()
    read = load_adapter(saved(tmp_path / "a.npz", adapter))
    assert (read.rank, read.alpha, read.factors.keys()) == (2, 4.0, adapter.factors.keys())
    for name, pair in adapter.factors.items():
        for mine, theirs in zip(pair, read.factors[name], strict=True):
            assert np.array_equal(mine, theirs)


def test_rows_go_from_halves_to_pairs() -> None:
    weight = np.arange(8, dtype=np.float32)[:, None]
    assert rows_for_llama_cpp(weight, 2)[:, 0].tolist() == [0, 2, 1, 3, 4, 6, 5, 7]
    assert rows_for_hugging_face(rows_for_llama_cpp(weight, 2), 2).tolist() == weight.tolist()
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 3)), rng.standard_normal((8, 2))
    together = rows_for_llama_cpp((b @ a).astype(np.float32), 2)
    apart = rows_for_llama_cpp(b.astype(np.float32), 2) @ a
    np.testing.assert_allclose(together, apart, rtol=1e-6)
