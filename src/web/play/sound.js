// Sounds for moves and the end of a game, made in the browser. They are off until somebody turns them on, for this browser.

import { $ } from './dom.js';

/** Seconds and hertz of each tone: a knock on wood for a move, two falling tones for the end. */
const TONES = {
  move: [{ at: 0, lasts: 0.09, from: 420, to: 150 }],
  end: [{ at: 0, lasts: 0.25, from: 523, to: 523 }, { at: 0.22, lasts: 0.5, from: 392, to: 392 }],
};
const LOUDNESS = 0.25;

export class Sound {
  /** `isOn` says whether the person wants sounds, and `keep(isOn)` keeps it for this browser. */
  constructor({ isOn, keep }) {
    Object.assign(this, { isOn, keep, audio: null });
    $('sound').hidden = typeof AudioContext === 'undefined';
    // Browsers let a page sound only after its first touch or key.
    for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, () => this.isOn && this.wake());
    this.show();
  }

  turn(on) {
    this.isOn = on;
    this.keep(on);
    this.show();
    if (on) this.play('move');
  }

  show() {
    $('sound').setAttribute('aria-pressed', String(this.isOn));
  }

  /** The browser's audio, ready to sound as soon as it may. */
  wake() {
    this.audio ??= new AudioContext();
    if (this.audio.state === 'suspended') this.audio.resume().catch(() => {});
    return this.audio;
  }

  /** Plays the sound for a move or the end, if sounds are wanted. */
  play(name) {
    if (!this.isOn || $('sound').hidden) return;
    const audio = this.wake();
    for (const { at, lasts, from, to } of TONES[name]) {
      const [tone, volume, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + at];
      tone.type = 'triangle';
      tone.frequency.setValueAtTime(from, start);
      tone.frequency.exponentialRampToValueAtTime(to, start + lasts);
      volume.gain.setValueAtTime(LOUDNESS, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + lasts);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + lasts);
    }
    // The sounds so far, for tests.
    document.body.dataset.sounds = `${document.body.dataset.sounds ?? ''} ${name}`.trim();
  }
}
