"""Neural synthesisers speak through the same worker process; their networks are doubles, all else is real."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

from narrator.cli.main import main
from narrator.cli.parts import open_pack, settings_for
from narrator.cli.speaking import open_voices, voices_for
from narrator.faults import Fault
from narrator.messages import message
from narrator.mouth.clips import Clip
from narrator.mouth.engines import Engine, Kind, kokoro, piper
from narrator.mouth.levels import LOUDNESS
from narrator.mouth.lines import load_pack
from narrator.mouth.loudness import loudness
from narrator.mouth.renderer import Renderer, RenderFailed
from narrator.mouth.standby import StandbyRenderer, started
from narrator.resources import voices_folder
from narrator.table.settings import Settings, keep_setting

PIPER = """
import json
from dataclasses import dataclass
import numpy as np

@dataclass
class SynthesisConfig:
    length_scale: float

class Voice:
    def __init__(self, config):
        self.config = type("Config", (), {"length_scale": 1.0, "sample_rate": config["rate"]})

    def synthesize(self, text, settings):
        print("a synthesiser may print")
        for sentence in filter(None, text.split("。")):
            if sentence == "坏":
                raise ValueError("it is broken")
            time = np.arange(int(0.2 * len(sentence) * settings.length_scale * 16000)) / 16000
            yield type("Chunk", (), {"audio_float_array": 0.2 * np.sin(2 * np.pi * 300 * time)})

class PiperVoice:
    @staticmethod
    def load(path):
        with open(path + ".json") as file:
            return Voice(json.load(file))
"""

ONNXRUNTIME = """
class SessionOptions:
    def add_session_config_entry(self, key, value): ...

class InferenceSession:
    def __init__(self, path, options, providers):
        if b"onnx" not in open(path, "rb").read():
            raise RuntimeError("Protobuf parsing failed")
"""

JIEBA = """
def setLogLevel(level): ...

def lcut(text):
    return [text]
"""

KOKORO = """
import numpy as np

class Kokoro:
    @classmethod
    def from_session(cls, session, styles):
        return cls()

    def get_voices(self):
        return ["af_heart", "zf_xiaoyi"]

    def create(self, told, voice, speed, is_phonemes, trim):
        assert is_phonemes and not trim
        open(__file__ + ".told", "a").write(told + "\\n")
        time = np.arange(int(0.05 * len(told) / speed * 24000)) / 24000
        return 0.2 * np.sin(2 * np.pi * 300 * time), 24000
"""


@pytest.fixture
def networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages of the engines' names whose networks hum, found by this process and the worker's."""
    for name, source in (
        ("piper", PIPER),
        ("onnxruntime", ONNXRUNTIME),
        ("kokoro_onnx", KOKORO),
        ("jieba", JIEBA),
    ):
        (tmp_path / "packages").mkdir(exist_ok=True)
        (tmp_path / "packages" / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
    return tmp_path / "packages"


@pytest.fixture
def piper_file(tmp_path: Path) -> Path:
    (tmp_path / "huayan.onnx").write_bytes(b"onnx")
    (tmp_path / "huayan.onnx.json").write_text('{"rate": 16000}', encoding="utf-8")
    return tmp_path / "huayan.onnx"


@pytest.fixture
def kokoro_file(tmp_path: Path) -> Path:
    (tmp_path / "kokoro.onnx").write_bytes(b"onnx")
    (tmp_path / "voices-v1.0.bin").write_bytes(b"styles")
    return tmp_path / "kokoro.onnx"


def speaks(engine: Engine, text: str, rate: int = 165) -> Clip:
    with Renderer(engine=engine) as renderer:
        return renderer.render(text, rate=rate)


@pytest.mark.usefixtures("networks")
def test_piper_speaks_every_sentence_at_the_common_loudness(piper_file: Path) -> None:
    clip = speaks(piper(piper_file), "三号。请发言。")
    assert clip.rate == 16_000
    assert clip.seconds == pytest.approx(1.0, abs=0.1)
    assert loudness(clip.samples, clip.rate) == pytest.approx(LOUDNESS, abs=0.5)


@pytest.mark.usefixtures("networks")
def test_fewer_words_a_minute_are_a_slower_voice(piper_file: Path, kokoro_file: Path) -> None:
    for engine in (piper(piper_file), kokoro(kokoro_file, "zf_xiaoyi", Path())):
        slow, usual = (speaks(engine, "三号。", rate).seconds for rate in (110, 165))
        assert slow == pytest.approx(usual * 1.5, rel=0.1)


def test_kokoro_is_told_every_syllable_with_its_tone(networks: Path, kokoro_file: Path) -> None:
    readings = kokoro_file.with_name("readings.toml")
    readings.write_text(
        '[measures]\n[ordinals]\n"号" = "hao4"\n[stretches]\n"过" = "guo4"\n[letters]\n[words]\n'
        '"请" = "qing3"\n"说" = "shuo1"\n',
        encoding="utf-8",
    )
    speaks(kokoro(kokoro_file, "zf_xiaoyi", readings), "一号，请说：过。")
    told = (networks / "kokoro_onnx.py.told").read_text(encoding="utf-8")
    assert told == "i→xau↘, ʨʰi↓ŋ ʂwo→: kwo↘.\n"


@pytest.mark.usefixtures("networks")
def test_a_text_that_breaks_it_costs_one_clip(piper_file: Path) -> None:
    with Renderer(engine=piper(piper_file)) as renderer:
        renderer.warm_up()
        before = renderer.worker_pid
        with pytest.raises(RenderFailed, match="it is broken"):
            renderer.render("坏。")
        assert renderer.render("三号。").seconds > 0.3
        assert renderer.worker_pid == before


@pytest.mark.usefixtures("networks")
def test_a_network_that_cant_be_loaded_is_one_sentence_told_once(kokoro_file: Path) -> None:
    kokoro_file.write_bytes(b"a web page")
    told: list[Fault] = []
    standby = StandbyRenderer(told.append, engine=kokoro(kokoro_file, "zf_xiaoyi", Path()))
    failures = [standby.submit(text, "", 165, 50, 1.0).exception(timeout=30) for text in ("三号", "四号")]
    standby.close()
    assert [type(failure) for failure in failures] == [RenderFailed] * 2
    (fault,) = told
    sentence = message(fault.key, **fault.params)
    assert str(kokoro_file) in sentence
    assert "Protobuf parsing failed" in sentence


@pytest.mark.usefixtures("networks")
def test_a_voice_that_kokoro_doesnt_have_is_named_with_those_that_speak_chinese(kokoro_file: Path) -> None:
    with pytest.raises(Fault) as caught:
        started(kokoro(kokoro_file, "zf_nobody", Path()))
    assert caught.value.key == "engine_broken"
    assert "zf_nobody" in str(caught.value.params["why"])
    assert "(zf_xiaoyi)" in str(caught.value.params["why"])


@pytest.mark.parametrize(("missing", "named"), [("", "huayan.onnx"), (".json", "huayan.onnx.json")])
def test_a_file_that_isnt_there_is_named(piper_file: Path, missing: str, named: str) -> None:
    Path(f"{piper_file}{missing}").unlink()
    with pytest.raises(Fault) as caught:
        piper(piper_file)
    assert (caught.value.key, Path(str(caught.value.params["file"])).name) == ("engine_broken", named)


def test_kokoro_needs_its_voices_beside_it(kokoro_file: Path) -> None:
    kokoro_file.with_name("voices-v1.0.bin").unlink()
    with pytest.raises(Fault) as caught:
        kokoro(kokoro_file, "zf_xiaoyi", Path())
    assert Path(str(caught.value.params["file"])).name == "voices.bin"


def test_a_package_that_isnt_installed_is_named_with_how_to_get_it(
    piper_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Fault) as caught:
        piper(piper_file).check("")
    sentence = message(caught.value.key, **caught.value.params)
    assert "pip install piper-tts" in sentence


def test_the_command_line_must_name_what_is_there_and_settings_go_on_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = tmp_path / "absent.onnx"
    assert main(["demo", "--wav", str(tmp_path / "x.wav"), "--kokoro", str(absent)]) == 2
    assert str(absent) in capsys.readouterr().err
    pack = open_pack(voices_folder() / "zh-CN", Settings(piper=absent))
    assert pack.engine.kind is Kind.ESPEAK
    assert str(absent) in capsys.readouterr().err


@pytest.mark.usefixtures("networks")
def test_an_engine_speaks_alone_unless_a_recorded_voice_is_asked_for(piper_file: Path) -> None:
    pack = open_pack(voices_folder() / "zh-CN", Settings(piper=piper_file))
    assert pack.engine.kind is Kind.PIPER
    assert open_voices(pack, None) == ()


@pytest.mark.usefixtures("networks")
def test_one_asked_for_at_the_start_is_heard_whatever_voice_was_chosen_before(piper_file: Path) -> None:
    keep_setting("voice", "yunjian")
    settings = settings_for(Namespace(locale=None, piper=piper_file, kokoro=None))
    assert settings.piper == piper_file
    assert voices_for(open_pack(voices_folder() / "zh-CN", settings), None, settings) == ()
    assert settings_for(Namespace(locale=None)).voice == "yunjian"


@pytest.mark.usefixtures("networks")
def test_stored_clips_of_one_engine_are_never_another_ones(piper_file: Path, kokoro_file: Path) -> None:
    pack = load_pack(voices_folder() / "zh-CN")
    engines = [piper(piper_file), *(kokoro(kokoro_file, voice, Path()) for voice in ("zf_a", "zf_b"))]
    ids = {pack.voice.id, *(pack.spoken_by(engine).voice.id for engine in engines)}
    assert len(ids) == 4
    os.utime(piper_file, (1, 1))
    assert pack.spoken_by(engines[0]).voice.id not in ids


def named_file(variable: str) -> Path:
    if variable not in os.environ:
        pytest.skip(f"no model file: name one in {variable}")
    return Path(os.environ[variable])


@pytest.mark.audio
def test_the_real_kokoro_speaks_when_it_is_there() -> None:
    pytest.importorskip("kokoro_onnx", reason="kokoro-onnx is not installed: pip install kokoro-onnx jieba")
    pytest.importorskip("jieba", reason="jieba is not installed: pip install kokoro-onnx jieba")
    readings = load_pack(voices_folder() / "zh-CN").readings_file
    engine = kokoro(named_file("NARRATOR_KOKORO"), "zf_xiaoyi", readings)
    with Renderer(60, 90, engine) as renderer:
        short, long = renderer.render("三号。"), renderer.render("天黑了，请大家闭眼。")
    assert 0.3 < short.seconds < long.seconds < 5
    assert np.abs(long.samples).max() > 0.05


@pytest.mark.audio
def test_the_real_piper_speaks_when_it_is_there() -> None:
    pytest.importorskip("piper", reason="piper-tts is not installed: pip install piper-tts")
    with Renderer(60, 90, piper(named_file("NARRATOR_PIPER"))) as renderer:
        short, long = renderer.render("三号。"), renderer.render("天黑了，请大家闭眼。")
    assert 0.2 < short.seconds < long.seconds < 6
