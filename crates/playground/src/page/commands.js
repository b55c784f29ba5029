// Application commands: which are available here, the meaning of a typed "/", and the data of an interaction.
import { nearest } from './matching.js';
import { isDm } from './store.js';

const SLASH_COMMAND = 1;
const ENTRY_POINT = 4;
export const USER_COMMAND = 2;
export const MESSAGE_COMMAND = 3;

const SUBCOMMAND = 1;
const GROUP = 2;

const IN_GUILD = 0;
const IN_BOT_DM = 1;
const IN_OTHER_DM = 2;

const USER_INSTALL = 1;

/** Returns the channel's context, for a command's `contexts`. */
function contextOf(channel, store) {
  if (!channel || !isDm(channel)) return IN_GUILD;
  return store.peopleIn(channel).some((user) => user?.bot) ? IN_BOT_DM : IN_OTHER_DM;
}

function usable(command, channel, store) {
  const context = contextOf(channel, store);
  if (command.guild_id && command.guild_id !== channel?.guild_id) return false;
  const installed =
    store.peopleIn(channel).some((user) => user?.bot) || command.integration_types?.includes(USER_INSTALL);
  if (!installed) return false;
  if (command.contexts?.length) return command.contexts.includes(context);
  return context === IN_GUILD || command.dm_permission !== false;
}

export function commandsOfType(commands, type, channel, store) {
  return commands.filter((command) => (command.type ?? SLASH_COMMAND) === type && usable(command, channel, store));
}

/**
 * Returns every slash command available here, one per subcommand: { root, path, title, description, options }. They are in
 * the bot's order, which begins with what most people want. Last comes the one that opens the activity.
 */
export function slashCommands(commands, channel, store) {
  return [SLASH_COMMAND, ENTRY_POINT]
    .flatMap((type) => commandsOfType(commands, type, channel, store))
    .flatMap((root) => leaves(root, root, [root.name]));
}

function leaves(root, node, path) {
  const inner = (node.options ?? []).filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
  if (inner.length > 0) return inner.flatMap((option) => leaves(root, option, [...path, option.name]));
  return [{ root, path, title: `/${path.join(' ')}`, description: node.description, options: node.options ?? [] }];
}

/** Returns how well a command fits the text after "/": 0 to 2 by its name, 3 by its description, 4 not at all. */
function rank(command, typed) {
  const wanted = typed.trim().toLowerCase();
  const name = command.path.join(' ');
  if (name.startsWith(wanted)) return 0;
  if (command.path.some((word) => word.startsWith(wanted))) return 1;
  if (name.includes(wanted)) return 2;
  return command.description.toLowerCase().includes(wanted) ? 3 : 4;
}

/** Whether the text after "/" is a part of the command's name. */
export const isNamed = (command, typed) => rank(command, typed) < 3;

/** Returns the commands that match the text after "/", the best first. */
export function filterCommands(list, typed) {
  return list
    .map((command) => ({ command, place: rank(command, typed) }))
    .filter(({ place }) => place < 4)
    .sort((a, b) => a.place - b.place)
    .map(({ command }) => command);
}

/** Returns the command whose whole name was typed with a space, as in "/play ". */
export function typedCommand(list, text) {
  return (
    list
      .filter((command) => text.toLowerCase().startsWith(`${command.title} `))
      .sort((a, b) => b.path.length - a.path.length)[0] ?? null
  );
}

/**
 * Returns the options that a text names, as in "game:amazons size:8x8": { name, value } each. It names none unless it begins
 * with a name, because a pasted record may have the same words in it.
 */
export function namedOptions(text, names) {
  if (names.length === 0) return [];
  const found = [...text.matchAll(new RegExp(`(?:^|\\s+)(${names.join('|')}):`, 'giu'))];
  if (found[0]?.index !== 0) return [];
  return found.map((match, place) => ({
    name: match[1].toLowerCase(),
    value: text.slice(match.index + match[0].length, found[place + 1]?.index).trim(),
  }));
}

/** Returns the word after "/" if the text can only be meant as a command: no path, and no "/" alone. */
export const commandWord = (text) => /^\/([\p{L}][\p{L}\p{N}_-]*)(?=\s|$)/u.exec(text)?.[1] ?? null;

/** Returns the commands whose names are nearest to a misspelt one. */
export const nearestCommands = (list, word) => nearest(list, word, (command) => [command.path[0], command.path.join(' ')]);

/** Returns the `data` of an interaction; `options` are the leaf's own, wrapped into their subcommand and group. */
export function commandData(command, options) {
  const [, ...inner] = command.path;
  const wrapped = inner.reduceRight(
    (inside, name, depth) => [{ name, type: inner.length - depth === 2 ? GROUP : SUBCOMMAND, options: inside }],
    options,
  );
  return { type: command.root.type ?? SLASH_COMMAND, id: command.root.id, name: command.root.name, options: wrapped };
}
