// The line above the text box during a reply: its recipient, and whether they are pinged.
import { byId, fill, h } from './dom.js';
import { icon } from './icons.js';

export class ReplyBar {
  /** `onCancel` runs when the reply is cancelled with the mouse. */
  constructor(app, onCancel) {
    this.app = app;
    this.onCancel = onCancel;
    this.node = byId('reply-bar');
    this.message = null;
    this.ping = true;
  }

  begin(message) {
    this.message = message;
    this.ping = true;
    this.paint();
  }

  cancel() {
    this.message = null;
    this.paint();
  }

  paint() {
    this.node.hidden = !this.message;
    if (!this.message) return;
    const { store, feed } = this.app;
    const { id, author } = this.message;
    const name = store.displayName(author.id);
    const label = ['Replying to ', h('strong', null, name)];
    fill(
      this.node,
      h('button', { class: 'reply-to', type: 'button', onclick: () => feed.jump(id) }, label),
      author.id === store.meId ? null : this.pingSwitch(name),
      this.cancelButton(),
    );
  }

  pingSwitch(name) {
    const props = {
      id: 'ping-toggle',
      type: 'button',
      role: 'switch',
      'data-testid': 'ping-toggle',
      title: `Ping ${name}`,
    };
    const toggle = () => {
      this.ping = !this.ping;
      this.paint();
      byId('ping-toggle').focus();
    };
    const state = { class: `ping${this.ping ? ' on' : ''}`, 'aria-checked': String(this.ping) };
    return h('button', { ...props, ...state, onclick: toggle }, this.ping ? '@ On' : '@ Off');
  }

  cancelButton() {
    const cancel = () => {
      this.cancel();
      this.onCancel();
    };
    const props = { class: 'icon-button', type: 'button', 'aria-label': 'Cancel the reply' };
    return h('button', { ...props, onclick: cancel }, icon('close', 18));
  }
}
