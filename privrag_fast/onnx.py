"""ONNX models and tokenizers: the only importer of onnxruntime and tokenizers.

Both are imported on first use, so that importing a stage costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from privrag_fast.types import InputError, ModelError, ProviderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

CPU = "CPUExecutionProvider"

Array = np.ndarray[Any, np.dtype[Any]]

_DTYPES: Mapping[str, type[np.generic]] = {
    "tensor(bool)": np.bool_,
    "tensor(int32)": np.int32,
    "tensor(int64)": np.int64,
    "tensor(float16)": np.float16,
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
}

_SLOW_FUSIONS = ["SkipLayerNormFusion"]
"""On CPUs that fused operator takes several times as long as the two that it stands for."""

_SPIN_US = "20"

_GPU_CURE = (
    "pip uninstall onnxruntime, then pip install --force-reinstall onnxruntime-gpu "
    "(the extra `gpu`; the two packages overwrite each other's files)"
)


class OnnxModel:
    """One ONNX file, ready to run; safe to call from several threads.

    Args:
        path: The `.onnx` file; its external data, if any, lies beside it.
        providers: onnxruntime execution providers, best first.
        threads: Threads within an operator; 0 lets onnxruntime choose.

    Raises:
        ModelError: The file is missing, damaged, or has inputs of an unknown type.
        ProviderError: A provider is not in this onnxruntime, or did not start.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        providers: Sequence[str] = (CPU,),
        threads: int = 0,
    ) -> None:
        if threads < 0:
            raise InputError(f"threads must be 0 (automatic) or more, got {threads}")
        self.path = Path(path)
        self._session = _open_session(self.path, _checked_providers(providers), threads)
        self._dtypes = _input_dtypes(self.path, self._session)

    @property
    def input_names(self) -> tuple[str, ...]:
        """The inputs of the export, in its order."""
        return tuple(self._dtypes)

    @property
    def output_names(self) -> tuple[str, ...]:
        """The outputs of the export, in its order."""
        return tuple(output.name for output in self._session.get_outputs())

    def run(self, feeds: Mapping[str, Array]) -> list[Array]:
        """All outputs, in the export's order.

        Args:
            feeds: At least what the export names; other entries are left out, and dtypes are
                cast to the export's, so that one caller serves exports that differ in both.

        Raises:
            ModelError: The export wants an input that `feeds` lacks, or the run failed.
        """
        if missing := [name for name in self._dtypes if name not in feeds]:
            raise ModelError(
                f"{self.path}: the export wants {', '.join(missing)}; "
                f"this model role provides {', '.join(feeds)}"
            )
        inputs = {name: np.asarray(feeds[name], dtype) for name, dtype in self._dtypes.items()}
        try:
            outputs: list[Array] = self._session.run(None, inputs)
        except Exception as error:
            # onnxruntime's message can hold token ids, hence a user's words: not passed on.
            raise ModelError(
                f"{self.path}: onnxruntime failed ({type(error).__name__}) on "
                + ", ".join(f"{name} {value.shape}" for name, value in inputs.items())
            ) from None
        return outputs


def load_tokenizer(path: str | Path) -> Tokenizer:
    """The tokenizer of a `tokenizer.json`, with padding and truncation off.

    Raises:
        ModelError: The file is missing or damaged.
    """
    from tokenizers import Tokenizer

    path = _existing_file(path)
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:
        raise ModelError(f"{path}: not a readable tokenizer.json ({error})") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _existing_file(path: str | Path) -> Path:
    path = Path(path)
    if not path.is_file():
        raise ModelError(f"{path}: no such file")
    return path


def _checked_providers(providers: Sequence[str]) -> list[str]:
    import onnxruntime

    if isinstance(providers, str) or not providers:
        raise InputError(f'providers must be a sequence of names, such as ("{CPU}",)')
    available = onnxruntime.get_available_providers()
    absent = [name for name in providers if name not in available]
    if absent:
        raise ProviderError(
            f"onnxruntime has no {', '.join(absent)}; it has {', '.join(available)}" + _cure(absent)
        )
    return list(providers)


def _cure(absent: Sequence[str]) -> str:
    if any(name.startswith(("CUDA", "Tensorrt")) for name in absent):
        return f". {_GPU_CURE}"
    return ". Install the onnxruntime build that carries it"


def _open_session(path: Path, providers: list[str], threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning answer the next operator at once, and take from whatever else
    # runs: the threads of the next model, or their own other half where two CPUs are threads of one
    # core (16 ms instead of 9). A few microseconds are worth it, and none after a run.
    options.add_session_config_entry("session.intra_op.spin_duration_us", _SPIN_US)
    options.add_session_config_entry("session.force_spinning_stop", "1")
    options.log_severity_level = 4  # it logs to stderr, values included; errors are raised anyway
    try:
        session = onnxruntime.InferenceSession(
            str(_existing_file(path)),
            options,
            providers=providers,
            disabled_optimizers=_SLOW_FUSIONS if providers == [CPU] else None,
        )
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(f"{path}: not a readable ONNX model ({error})") from error
    # A provider whose libraries fail to load is dropped with a mere warning.
    if dropped := [name for name in providers if name not in session.get_providers()]:
        raise ProviderError(f"{', '.join(dropped)} did not start{_cure(dropped)}")
    return session


def _input_dtypes(path: Path, session: Any) -> dict[str, type[np.generic]]:
    types = {node.name: node.type for node in session.get_inputs()}
    if unknown := {name: kind for name, kind in types.items() if kind not in _DTYPES}:
        raise ModelError(f"{path}: inputs of a type that is not supported: {unknown}")
    return {name: _DTYPES[kind] for name, kind in types.items()}
