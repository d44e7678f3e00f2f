from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from privrag_fast.onnx import OnnxModel, load_tokenizer
from privrag_fast.types import InputError, ModelError, ProviderError


@pytest.fixture(scope="module")
def adder(tmp_path_factory):
    """`sum = a + b` on int64."""
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("Add", ["a", "b"], ["sum"])],
        "adder",
        [value("a", TensorProto.INT64, ["N"]), value("b", TensorProto.INT64, ["N"])],
        [value("sum", TensorProto.INT64, ["N"])],
    )
    path = tmp_path_factory.mktemp("onnx") / "adder.onnx"
    opset = helper.make_opsetid("", 18)
    onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=9), str(path))
    return path


def test_run_casts_and_leaves_out_what_the_export_does_not_name(adder):
    model = OnnxModel(adder, threads=1)
    assert model.input_names == ("a", "b")
    assert model.output_names == ("sum",)
    one = np.ones(2, np.int32)
    (total,) = model.run({"a": one, "b": one, "token_type_ids": one})
    assert total.dtype == np.int64
    assert total.tolist() == [2, 2]


def test_an_input_that_the_caller_lacks_is_named(adder):
    with pytest.raises(ModelError, match="wants b"):
        OnnxModel(adder).run({"a": np.ones(2, np.int64)})


def test_a_failed_run_tells_shapes_and_no_values(adder, capfd):
    with pytest.raises(ModelError, match=r"a \(2,\), b \(3,\)") as caught:
        OnnxModel(adder).run({"a": np.full(2, 777), "b": np.full(3, 777)})
    assert "777" not in str(caught.value)
    assert caught.value.__suppress_context__
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("content", [b"", b"junk" * 100])
def test_a_damaged_model_is_named(tmp_path, content):
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"model\.onnx"):
        OnnxModel(path)


def test_a_truncated_model_is_named(adder, tmp_path):
    path = tmp_path / "cut.onnx"
    path.write_bytes(adder.read_bytes()[:-20])
    with pytest.raises(ModelError, match=r"cut\.onnx"):
        OnnxModel(path)


def test_a_missing_model_is_named(tmp_path):
    with pytest.raises(ModelError, match=r"none\.onnx: no such file"):
        OnnxModel(tmp_path / "none.onnx")


def test_an_absent_gpu_provider_names_what_is_there_and_the_cure(adder):
    onnxruntime = pytest.importorskip("onnxruntime")
    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this onnxruntime has CUDA")
    with pytest.raises(ProviderError) as caught:
        OnnxModel(adder, providers=("CUDAExecutionProvider", "CPUExecutionProvider"))
    message = str(caught.value)
    assert "no CUDAExecutionProvider" in message
    assert "CPUExecutionProvider" in message
    assert "pip uninstall onnxruntime" in message
    assert "pip install --force-reinstall onnxruntime-gpu" in message


def test_a_provider_that_does_not_start_is_an_error_and_not_a_slow_cpu(adder, monkeypatch):
    import onnxruntime

    monkeypatch.setattr(
        onnxruntime,
        "get_available_providers",
        lambda: ["CPUExecutionProvider", "CUDAExecutionProvider"],
    )
    real = onnxruntime.InferenceSession
    monkeypatch.setattr(
        onnxruntime,
        "InferenceSession",
        lambda path, options, providers, **_: real(path, options, ["CPUExecutionProvider"]),
    )
    with pytest.raises(ProviderError, match="CUDAExecutionProvider did not start"):
        OnnxModel(adder, providers=("CUDAExecutionProvider",))


@pytest.mark.parametrize("providers", ["CPUExecutionProvider", ()])
def test_providers_are_a_sequence_of_names(adder, providers):
    with pytest.raises(InputError, match="providers"):
        OnnxModel(adder, providers=providers)


def test_negative_threads_are_refused(adder):
    with pytest.raises(InputError, match="threads"):
        OnnxModel(adder, threads=-1)


def test_a_tokenizer_comes_without_padding_and_truncation(tiny_folder):
    tokenizer = load_tokenizer(tiny_folder / "tokenizer.json")
    assert tokenizer.padding is None
    assert tokenizer.truncation is None


@pytest.mark.parametrize("content", ["", "{", "{}"])
def test_a_damaged_tokenizer_is_named(tmp_path, content):
    path = tmp_path / "tokenizer.json"
    path.write_text(content)
    with pytest.raises(ModelError, match=r"tokenizer\.json"):
        load_tokenizer(path)
