// The right side: the members of this channel.
import { personMenu } from './actions.js';
import { arrowKeys, byId, fill, h, onContextMenu } from './dom.js';
import { avatar, botTag } from './people.js';

export class Members {
  constructor(app) {
    this.app = app;
    this.list = byId('member-list');
    arrowKeys(this.list, 'button');
    app.store.on('members bot current channels', () => this.paint());
  }

  paint() {
    const { store } = this.app;
    const everyone = store.peopleIn(store.current).filter(Boolean);
    const byName = (a, b) => store.displayName(a.id).localeCompare(store.displayName(b.id));
    const bots = everyone.filter((user) => user.bot).sort(byName);
    const people = everyone.filter((user) => !user.bot).sort(byName);
    fill(this.list, this.group('Bots', bots), this.group('People', people));
  }

  group(title, users) {
    if (users.length === 0) return null;
    return [h('h3', { class: 'category' }, `${title} · ${users.length}`), users.map((user) => this.row(user))];
  }

  row(user) {
    const { store } = this.app;
    const offline = user.bot && !store.botOnline;
    const name = store.displayName(user.id);
    const node = h(
      'button',
      {
        class: `member${offline ? ' offline' : ''}`,
        type: 'button',
        'data-testid': `member-${user.username}`,
        'data-user-id': user.id,
        onclick: () => personMenu(this.app, user, { anchor: node }),
      },
      avatar(user, 32),
      h('span', { class: 'member-name' }, h('span', null, name, botTag(user)), note(user, store, offline)),
    );
    onContextMenu(node, (x, y) => personMenu(this.app, user, { point: { x, y } }));
    return node;
  }
}

function note(user, store, offline) {
  if (offline) return h('small', null, 'offline');
  return user.id === store.meId ? h('small', null, 'you') : null;
}
