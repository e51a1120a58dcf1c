"""Our features are Kaldi's, to the last digits that matter."""

from __future__ import annotations

import numpy as np
import pytest
from model_build.features import CONFIG, mfcc  # type: ignore[import-not-found]


def test_features_equal_kaldis() -> None:
    kaldi = pytest.importorskip(
        "kaldi_native_fbank", reason="install kaldi-native-fbank to compare with Kaldi"
    )
    sound = np.random.default_rng(1).normal(0, 2_000, 20_000).astype(np.int16)
    options = kaldi.MfccOptions()
    options.use_energy = False
    options.num_ceps = options.mel_opts.num_bins = 40
    options.mel_opts.low_freq, options.mel_opts.high_freq = 20, -400
    options.frame_opts.samp_freq, options.frame_opts.dither = 16_000, 0
    extractor = kaldi.OnlineMfcc(options)
    extractor.accept_waveform(16_000, sound.astype(np.float32))
    extractor.input_finished()
    theirs = np.array([extractor.get_frame(frame) for frame in range(extractor.num_frames_ready)])
    ours = mfcc(sound)
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() < 1e-3


def test_a_tone_lies_where_its_pitch_says() -> None:
    times = np.arange(16_000) / 16_000
    low, high = (mfcc(np.sin(2 * np.pi * hertz * times) * 8_000).mean(axis=0) for hertz in (200, 5_000))
    # The second cepstrum weighs low against high.
    assert low[1] > 0 > high[1]


def test_loudness_moves_the_first_cepstrum_only() -> None:
    sound = np.random.default_rng(2).normal(0, 500, 8_000)
    change = mfcc(sound * 4) - mfcc(sound)
    assert change[:, 0] == pytest.approx(np.log(16) * np.sqrt(40), abs=1e-2)
    assert np.abs(change[:, 1:]).max() < 1e-2


def test_only_whole_windows_count() -> None:
    assert [len(mfcc(np.ones(samples))) for samples in (0, 399, 400, 559, 560)] == [0, 0, 1, 1, 2]


def test_the_models_settings_say_the_same() -> None:
    assert "--num-ceps=40" in CONFIG
    assert "--dither=0.0" in CONFIG
