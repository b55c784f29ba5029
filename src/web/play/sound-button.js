// The button that turns sounds on and off. The script that makes them is loaded when the person wants them.

import { $ } from './dom.js';
import { siteStorage } from './storage.js';

/** Where the browser keeps whether sounds are on. */
const KEPT = 'rookery-sound';

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
    this.sound = new Sound({ isOn: wantsSound(), keep: (isOn) => siteStorage.set(KEPT, isOn ? 'on' : 'off') });
  }

  async toggle() {
    if (!this.sound) await this.load().catch(() => this.failed());
    this.sound?.turn(!this.sound.isOn);
  }
}

function wantsSound() {
  return siteStorage.get(KEPT) === 'on';
}
