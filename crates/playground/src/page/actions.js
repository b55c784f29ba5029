// Menu items for messages and people. Commands of the bot come last, under "Apps".
import { commandsOfType, MESSAGE_COMMAND, USER_COMMAND } from './commands.js';
import { copyText, h, toast } from './dom.js';
import { openMenu } from './menu.js';
import { avatar, botTag } from './people.js';
import { confirmDialog } from './popup.js';
import { EPHEMERAL } from './store.js';

/** Opens the menu of a message at a point or by an anchor. */
export function messageMenu(app, message, where) {
  const mine = message.author.id === app.store.meId;
  const ephemeral = Boolean((message.flags ?? 0) & EPHEMERAL);
  const items = [
    !ephemeral && { label: 'Reply', icon: 'reply', testid: 'menu-reply', run: () => app.reply(message) },
    message.content && {
      label: 'Copy text',
      icon: 'copy',
      testid: 'menu-copy-text',
      run: () => copyText(message.content),
    },
    { label: 'Copy message ID', icon: 'copy', testid: 'menu-copy-id', run: () => copyText(message.id) },
    ...appItems(app, MESSAGE_COMMAND, message.channel_id, message.id),
    mine &&
      !ephemeral && {
        label: 'Delete message',
        icon: 'trash',
        danger: true,
        testid: 'menu-delete',
        run: () => deleteMessage(app, message),
      },
    ephemeral && {
      label: 'Dismiss message',
      icon: 'close',
      testid: 'menu-dismiss',
      run: () => removeMessage(app, message),
    },
  ];
  return openMenu(items, { ...where, label: 'Message actions' });
}

/** Opens the menu of a person, with the person's name as its heading. */
export function personMenu(app, user, where) {
  const { store } = app;
  const me = user.id === store.meId;
  const items = [
    { label: 'Mention', icon: 'at', testid: 'menu-mention', run: () => app.composer.mention(user) },
    !me && { label: 'Send a direct message', icon: 'chats', testid: 'menu-dm', run: () => openDm(app, user) },
    { label: 'Copy user ID', icon: 'copy', testid: 'menu-copy-id', run: () => copyText(user.id) },
    ...appItems(app, USER_COMMAND, store.currentId, user.id),
  ];
  const name = store.displayName(user.id);
  const header = h(
    'div',
    { class: 'menu-person' },
    avatar(user, 44),
    h('div', null, h('strong', null, name, botTag(user)), h('small', null, `@${user.username}${me ? ' · you' : ''}`)),
  );
  return openMenu(items, { ...where, header, label: `Actions for ${name}` });
}

function appItems(app, type, channelId, targetId) {
  const channel = app.store.channels.get(channelId);
  const items = commandsOfType(app.store.commands, type, channel, app.store).map((command) => ({
    label: command.name,
    icon: 'bolt',
    testid: 'menu-command',
    run: () =>
      app.interactions.run(
        { type: 2, channel_id: channelId, data: { type, id: command.id, name: command.name, target_id: targetId } },
        { label: command.name },
      ),
  }));
  return items.length > 0 ? ['Apps', ...items] : [];
}

export async function openDm(app, user) {
  try {
    const channel = await app.api.openDm(user.id);
    if (!app.store.channels.has(channel.id)) app.store.takeDm(channel);
    app.store.emit('channels');
    app.open(channel.id);
  } catch (error) {
    toast(error.message, 'danger');
  }
}

async function deleteMessage(app, message) {
  const quoted = h('blockquote', { class: 'confirm-quote' }, message.content || 'This message has no text.');
  if (await confirmDialog('Delete this message?', quoted, 'Delete')) await removeMessage(app, message);
}

/** Deletes the person's own message, or dismisses an ephemeral one. */
export async function removeMessage(app, message) {
  try {
    await app.api.remove(message.channel_id, message.id);
    app.store.history(message.channel_id).remove(message.id);
    app.store.emit('messages', { channelId: message.channel_id });
  } catch (error) {
    toast(error.message, 'danger');
  }
}
