// A bot's modal: text inputs and selects in a dialog, checked here before they are sent.
import { h, fill, uid } from './dom.js';
import { placeholderOf, selectOptions } from './components.js';
import { markdown } from './markdown.js';
import { openDialog } from './popup.js';
import { createSelect } from './select.js';

/** Opens the modal of a MODAL_OPEN event. */
export function openModal(app, { channel_id: channelId, message_id: messageId, modal }) {
  const dialog = openDialog({ title: modal.title, testid: 'modal', className: 'modal' });
  const parts = modal.components.map((part) => topPart(part, app));
  const error = h('p', { class: 'form-error', role: 'alert', hidden: true });
  const submit = h('button', { class: 'button primary', type: 'submit', 'data-testid': 'modal-submit' }, 'Submit');
  const form = h(
    'form',
    { novalidate: true, class: 'modal-form', onsubmit: send },
    parts.map((part) => part.node),
    error,
  );
  form.id = uid('modal-form');
  submit.setAttribute('form', form.id);
  fill(dialog.body, form);
  fill(
    dialog.foot,
    h('button', { class: 'button secondary', type: 'button', onclick: dialog.close }, 'Cancel'),
    submit,
  );
  form.querySelector('input, textarea, button.select')?.focus();

  let waiting = false;

  async function send(event) {
    event.preventDefault();
    if (waiting) return;
    const wrong = parts.filter((part) => !part.check());
    if (wrong.length > 0) {
      wrong[0].focus();
      return;
    }
    wait(true);
    error.hidden = true;
    const data = { custom_id: modal.custom_id, components: parts.map((part) => part.data()).filter(Boolean) };
    const body = { type: 5, channel_id: channelId, ...(messageId && { message_id: messageId }), data };
    try {
      const id = await app.interactions.run(body, { label: modal.title, messageId: messageId ?? null, quiet: true });
      app.interactions.whenSettled(id, (failed) =>
        failed ? refuse('Something went wrong. Your text is still here: try again.') : dialog.close(),
      );
    } catch (problem) {
      refuse(problem.message);
    }
  }

  // The button is not disabled: disabling a focused button would lose the keyboard focus.
  function wait(now) {
    waiting = now;
    submit.classList.toggle('busy', now);
  }

  function refuse(text) {
    error.textContent = text;
    error.hidden = false;
    wait(false);
  }
}

/** A part of a modal as { node, check(), data(), focus() }. */
function topPart(part, app) {
  if (part.type === 10)
    return {
      node: h('div', { class: 'markdown' }, markdown(part.content, app.names())),
      check: () => true,
      data: () => null,
    };
  if (part.type === 18)
    return labelled(part.component, { label: part.label, description: part.description }, app, (component) => ({
      type: 18,
      id: part.id,
      component,
    }));
  return labelled(part.components[0], { label: part.components[0].label }, app, (component) => ({
    type: 1,
    id: part.id,
    components: [component],
  }));
}

function labelled(component, { label, description }, app, wrap) {
  const id = uid('field');
  const control = (CONTROLS[component.type] ?? unknownControl)(component, id, app, label);
  const problem = h('div', { class: 'field-error', id: `${id}-error`, role: 'alert' });
  const required = component.required !== false;
  const node = h(
    'div',
    { class: 'field', 'data-testid': 'modal-field', 'data-custom-id': component.custom_id },
    h('label', { for: id }, label, required ? h('span', { class: 'required', title: 'required' }, ' *') : null),
    description ? h('small', { class: 'hint' }, description) : null,
    control.node,
    problem,
  );
  return {
    node,
    focus: control.focus,
    check: () => {
      problem.textContent = control.problem(required) ?? '';
      return problem.textContent === '';
    },
    data: () => wrap({ type: component.type, id: component.id, custom_id: component.custom_id, ...control.value() }),
  };
}

const CONTROLS = {
  4: textInput,
  3: selectInput,
  5: selectInput,
  6: selectInput,
  7: selectInput,
  8: selectInput,
  21: (part, id) => checks(part, id, 'radio'),
  22: (part, id) => checks(part, id, 'checkbox'),
  23: checkbox,
};

function textInput(part, id) {
  const long = part.style === 2;
  const props = {
    id,
    value: part.value ?? '',
    placeholder: part.placeholder,
    maxlength: String(part.max_length ?? 4000),
    required: part.required !== false,
    'aria-describedby': `${id}-error`,
    'data-testid': 'modal-input',
    'data-custom-id': part.custom_id,
  };
  const input = h(long ? 'textarea' : 'input', { ...props, ...(long ? { rows: '5' } : { type: 'text' }) });
  const problem = (required) => {
    const length = [...input.value].length;
    if (required && input.value.trim() === '') return 'This field is required.';
    if (length > 0 && length < (part.min_length ?? 0))
      return `At least ${part.min_length} characters, please; here are ${length}.`;
    return length > (part.max_length ?? 4000) ? `At most ${part.max_length} characters, please.` : null;
  };
  return { node: input, focus: () => input.focus(), value: () => ({ value: input.value }), problem };
}

function selectInput(part, id, app, label) {
  const min = part.min_values ?? 1;
  const select = createSelect({
    placeholder: placeholderOf(part),
    options: () => selectOptions(part, app),
    min: part.required === false ? 0 : min,
    max: part.max_values ?? 1,
    search: part.type !== 3,
    label,
    data: { id, 'data-custom-id': part.custom_id },
  });
  const problem = (required) => {
    const count = select.values().length;
    if (count === 0) return required ? 'Choose something here.' : null;
    return count < min ? `Choose at least ${min}.` : null;
  };
  return { node: select.node, focus: () => select.node.focus(), value: () => ({ values: select.values() }), problem };
}

function checks(part, id, type) {
  const inputs = part.options.map((option) =>
    h('input', { type, name: id, value: option.value, checked: Boolean(option.default) }),
  );
  const rows = part.options.map((option, index) =>
    h(
      'label',
      { class: 'check' },
      inputs[index],
      h('span', null, option.label, option.description ? h('small', { class: 'hint' }, option.description) : null),
    ),
  );
  const picked = () => inputs.filter((input) => input.checked).map((input) => input.value);
  const value = () => (type === 'radio' ? { value: picked()[0] ?? null } : { values: picked() });
  const problem = (required) =>
    required && picked().length < (part.min_values ?? 1) ? 'Choose something here.' : null;
  return {
    node: h('div', { id, class: 'checks', role: type === 'radio' ? 'radiogroup' : 'group' }, rows),
    focus: () => inputs[0].focus(),
    value,
    problem,
  };
}

function checkbox(part, id) {
  const input = h('input', { type: 'checkbox', id, checked: Boolean(part.default) });
  return { node: input, focus: () => input.focus(), value: () => ({ value: input.checked }), problem: () => null };
}

function unknownControl(part) {
  const node = h('p', { class: 'hint' }, `This page can't show fields of type ${part.type}.`);
  return { node, focus: () => {}, value: () => ({}), problem: () => null };
}
