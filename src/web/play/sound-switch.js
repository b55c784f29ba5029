// The button that turns sounds on and off. The script that makes them is loaded when the person wants them.

import { notice } from './dom.js';

/** Whether the person wanted sounds when the page was here last. */
function wantsSound() {
  try {
    return localStorage.getItem('rookery-sound') === 'on';
  } catch {
    return false; // the browser keeps nothing
  }
}

export class SoundSwitch {
  /** `lost` says that the script can't be loaded. */
  constructor({ button, lost }) {
    this.lost = lost;
    this.sound = null;
    if (wantsSound()) this.#load().catch(() => {}); // a press of the button tries again
    button.addEventListener('click', () => this.#toggle());
  }

  /** Plays a sound, if sounds are on. */
  play(name) {
    this.sound?.play(name);
  }

  async #load() {
    const { Sound } = await import('./sound.js');
    this.sound = new Sound(wantsSound());
  }

  async #toggle() {
    if (!this.sound) await this.#load().catch(() => notice(this.lost, true));
    this.sound?.turn(!this.sound.isOn);
  }
}
