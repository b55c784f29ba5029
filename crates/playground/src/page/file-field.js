// An option of a slash command that takes a file, as a field. The file is uploaded when it's chosen, dropped or pasted.
import { h, uid } from './dom.js';
import { fieldNode } from './fields.js';
import { tooLarge } from './files.js';

export class FileField {
  constructor(app, option, { onInput, onFocus, onKey, onRemove }) {
    Object.assign(this, { app, option, onInput });
    this.picksFile = true;
    // The upload while it's on its way, and the id of the uploaded file, or why there's none.
    this.uploading = null;
    this.id = null;
    this.fault = null;
    this.input = h('input', {
      id: uid('option'),
      type: 'file',
      'aria-required': String(Boolean(option.required)),
      'aria-describedby': 'slash-hint',
      'data-testid': `option-${option.name}`,
      onchange: () => this.begin(),
      onfocus: () => onFocus(this),
      onkeydown: (event) => onKey(this, event),
    });
    this.node = fieldNode(option, this.input, onRemove && (() => onRemove(this)));
  }

  get text() {
    return this.input.files[0]?.name ?? '';
  }

  get empty() {
    return this.text === '';
  }

  fit() {
    this.node.classList.remove('wrong');
  }

  /** Takes a file as if it were chosen in the list of files. */
  take(file) {
    const chosen = new DataTransfer();
    chosen.items.add(file);
    this.input.files = chosen.files;
    this.input.focus();
    this.begin();
  }

  begin() {
    const uploading = this.upload().finally(() => {
      // Another file may have been chosen meanwhile.
      if (this.uploading === uploading) this.uploading = null;
    });
    this.uploading = uploading;
  }

  /** Sends the chosen file to the playground; `onInput` runs when it's there, and when it isn't taken. */
  async upload() {
    const [file] = this.input.files;
    this.id = null;
    this.fault = file ? tooLarge(file) : null;
    this.fit();
    if (file && !this.fault) {
      const { id, fault } = await this.app.api.upload(file).catch((error) => ({ fault: error.message }));
      // Another file may have been chosen meanwhile.
      if (this.input.files[0] !== file) return;
      this.id = id ?? null;
      this.fault = fault ?? null;
    }
    this.onInput(this);
  }

  /** Nothing is suggested for a file. */
  offers() {
    return [];
  }

  /** Returns the value to send, or undefined without a file. */
  value() {
    return this.id ?? undefined;
  }

  exact() {
    return null;
  }

  complete() {
    // A file's name isn't completed.
  }

  /** Returns the error as a sentence, or null. */
  problem() {
    if (this.empty) return this.option.required ? `${this.option.name} is required.` : null;
    return this.fault;
  }

  data() {
    const { name, type } = this.option;
    return { name, type, value: this.value() };
  }
}
