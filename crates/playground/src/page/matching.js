// Finds what a person means by a typed text: without regard to case, hyphens and spaces, and with a letter or two wrong.

/** Returns a name as it is compared: "Paper Pen-guins" and "paper penguins" are equal. */
export const keyOf = (text) =>
  String(text)
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\s_\-'’.]/g, '');

/** Returns the items that contain the text in one of their names: that name first, then those that begin with it. */
export function containing(items, typed, namesOf) {
  const wanted = keyOf(typed);
  const rank = (item) => {
    const keys = namesOf(item).map(keyOf);
    if (keys.includes(wanted)) return 0;
    if (keys.some((key) => key.startsWith(wanted))) return 1;
    return keys.some((key) => key.includes(wanted)) ? 2 : 3;
  };
  return items
    .map((item) => ({ item, place: rank(item) }))
    .filter(({ place }) => place < 3)
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Returns the items with the fewest wrong letters, or none if all are too far off. */
export function nearest(items, typed, namesOf, allowed = Math.floor(keyOf(typed).length / 3)) {
  const wanted = keyOf(typed);
  const far = items.map((item) => Math.min(...namesOf(item).map((name) => wrongLetters(wanted, keyOf(name)))));
  const least = Math.min(...far);
  return least <= allowed ? items.filter((_, index) => far[index] === least) : [];
}

/** Returns what the text can mean: the item of that name, else those that begin with it or contain it, else the nearest. */
export function meant(items, typed, namesOf) {
  const wanted = keyOf(typed);
  const exact = items.filter((item) => namesOf(item).some((name) => keyOf(name) === wanted));
  if (exact.length > 0) return exact.slice(0, 1);
  const begun = items.filter((item) => namesOf(item).some((name) => keyOf(name).startsWith(wanted)));
  if (begun.length > 0) return begun;
  const inside = containing(items, typed, namesOf);
  if (inside.length > 0) return inside;
  return nearest(items, typed, namesOf, wanted.length < 4 ? 0 : wanted.length < 8 ? 1 : 2);
}

/** Returns the number of wrong, missing, surplus or swapped letters, compared with the beginning of `name` or all of it. */
function wrongLetters(typed, name) {
  let [older, before] = [[], Array.from({ length: name.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= typed.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= name.length; j += 1) {
      const replaced = before[j - 1] + Number(typed[i - 1] !== name[j - 1]);
      row[j] = Math.min(replaced, before[j] + 1, row[j - 1] + 1);
      const swapped = i > 1 && j > 1 && typed[i - 1] === name[j - 2] && typed[i - 2] === name[j - 1];
      if (swapped) row[j] = Math.min(row[j], older[j - 2] + 1);
    }
    [older, before] = [before, row];
  }
  // A beginning counts as somewhat further off than the whole name, so that "penguins" is not "penguin soccer".
  return Math.min(before[name.length], Math.min(...before) + 0.5);
}
