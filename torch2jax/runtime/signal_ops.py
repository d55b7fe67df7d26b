"""Short-time Fourier transforms of torch, whose scaling, centring and windows are its own."""

import jax.numpy as jnp


def window_of(window, win_length, n_fft, dtype):
    """The window in the middle of `n_fft` entries; ones where none is given."""
    window = jnp.ones(win_length, dtype) if window is None else window
    left = (n_fft - win_length) // 2
    return jnp.pad(window, (left, n_fft - win_length - left))


def frames_of(x, length, step):
    """All frames of `length` entries along the last axis, one every `step` entries: (..., frames, length)."""
    count = 1 + (x.shape[-1] - length) // step
    return x[..., jnp.arange(count)[:, None] * step + jnp.arange(length)]


def stft(
    x, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False,
    onesided=None, return_complex=True,
):  # fmt: skip
    """torch.stft: (..., frequencies, frames); as pairs of reals if `return_complex` is False."""
    if center:
        widths = [(0, 0)] * (x.ndim - 1) + [(n_fft // 2, n_fft // 2)]
        modes = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}
        x = jnp.pad(x, widths, mode=modes[pad_mode])
    is_complex = jnp.iscomplexobj(x) or (window is not None and jnp.iscomplexobj(window))
    frames = frames_of(x, n_fft, n_fft // 4 if hop_length is None else hop_length)
    frames = frames * window_of(window, win_length or n_fft, n_fft, jnp.finfo(x.dtype).dtype)
    transform = jnp.fft.fft if is_complex or onesided is False else jnp.fft.rfft
    spectrum = transform(frames, norm="ortho" if normalized else None).mT
    return spectrum if return_complex else jnp.stack([spectrum.real, spectrum.imag], -1)


def istft(
    spectrum, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None,
    length=None, return_complex=False,
):  # fmt: skip
    """torch.istft: overlapping frames are added and divided by the sum of the squared windows."""
    hop = n_fft // 4 if hop_length is None else hop_length
    window = window_of(window, win_length or n_fft, n_fft, jnp.finfo(spectrum.dtype).dtype)
    norm = "ortho" if normalized else None
    if onesided is None:
        onesided = spectrum.shape[-2] != n_fft
    if return_complex:
        frames = jnp.fft.ifft(spectrum.mT, n_fft, norm=norm)
    else:
        half = spectrum.mT if onesided else spectrum.mT[..., : n_fft // 2 + 1]
        frames = jnp.fft.irfft(half, n_fft, norm=norm)
    frames = frames * window
    count = frames.shape[-2]
    total = n_fft + hop * (count - 1)
    positions = jnp.arange(count)[:, None] * hop + jnp.arange(n_fft)
    signal = jnp.zeros((*frames.shape[:-2], total), frames.dtype).at[..., positions].add(frames)
    envelope = jnp.zeros(total, window.dtype).at[positions].add(jnp.broadcast_to(window**2, positions.shape))
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - start
    signal, envelope = signal[..., start:end], envelope[start:end]
    signal = signal / envelope
    missing = max(end - total, 0) if length is not None else 0
    return jnp.pad(signal, [(0, 0)] * (signal.ndim - 1) + [(0, missing)])
