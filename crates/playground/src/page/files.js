// Files that people choose: how large they may be, and those that go with the next message.
import { byId, fill, h, toast } from './dom.js';
import { icon } from './icons.js';

const LIMIT_MB = 10;
const LIMIT = LIMIT_MB * 1024 * 1024;
const MOST = 10;

/** Returns why a file can't be sent, or null. */
export function tooLarge(file) {
  if (file.size <= LIMIT) return null;
  const size = Math.ceil((file.size / LIMIT) * LIMIT_MB * 10) / 10;
  return `${file.name} has ${size} MB, and ${LIMIT_MB} MB is the limit. Choose a smaller file.`;
}

/** The files of the next message, in a line above the text box. */
export class MessageFiles {
  /** `onChange` runs when a file is added or taken away. */
  constructor(app, onChange) {
    Object.assign(this, { app, onChange });
    this.node = byId('message-files');
    this.input = byId('message-file');
    this.list = [];
    byId('file-button').addEventListener('click', () => this.input.click());
    this.input.addEventListener('change', () => this.add([...this.input.files]));
  }

  get ids() {
    return this.list.map(({ id }) => id);
  }

  async add(files) {
    const channelId = this.app.store.currentId;
    // The same file may be chosen again after it was taken away.
    this.input.value = '';
    for (const file of files) {
      const fault = this.list.length >= MOST ? `A message can have at most ${MOST} files.` : tooLarge(file);
      const sent = fault ? { fault } : await this.app.api.upload(file).catch((error) => ({ fault: error.message }));
      if (channelId !== this.app.store.currentId) return;
      if (sent.fault) toast(sent.fault, 'danger');
      else this.list.push({ id: sent.id, name: file.name });
    }
    this.paint();
    this.onChange();
  }

  clear() {
    this.show([]);
  }

  /** Shows files that were uploaded before. */
  show(list) {
    this.list = list;
    this.paint();
  }

  paint() {
    this.node.hidden = this.list.length === 0;
    fill(
      this.node,
      this.list.map((file) =>
        h('span', { class: 'message-file', 'data-testid': 'message-file' }, icon('file', 16), h('span', null, file.name), this.removeButton(file)),
      ),
    );
  }

  removeButton(file) {
    const remove = () => {
      this.list = this.list.filter((other) => other !== file);
      this.paint();
      this.onChange();
    };
    const props = { class: 'icon-button', type: 'button', 'aria-label': `Take ${file.name} away`, onclick: remove };
    return h('button', props, icon('close', 16));
  }
}
