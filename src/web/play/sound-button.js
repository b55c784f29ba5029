// The button that turns sounds on and off. The script that makes them is loaded when the person wants them.

import { $ } from './dom.js';

export class SoundButton {
  /** `failed()` is called when the script can't be loaded. */
  constructor({ failed }) {
    Object.assign(this, { failed, sound: null });
    if (wantsSound()) this.load().catch(() => {}); // a press of the button tries again
    $('sound').addEventListener('click', () => this.toggle());
  }

  /** Plays the sound for a move or the end of a game, if sounds are on. */
  play(name) {
    this.sound?.play(name);
  }

  async load() {
    const { Sound } = await import('./sound.js');
    this.sound = new Sound(wantsSound());
  }

  async toggle() {
    if (!this.sound) await this.load().catch(() => this.failed());
    this.sound?.turn(!this.sound.isOn);
  }
}

function wantsSound() {
  try {
    return localStorage.getItem('rookery-sound') === 'on';
  } catch {
    return false; // the browser keeps nothing
  }
}
