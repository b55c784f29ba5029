// Line icons on a 24 x 24 grid, drawn for this page.

const SVG = 'http://www.w3.org/2000/svg';

const SHAPES = {
  hash: ['M5 9h15M4 15h15M10 4 8 20M16 4l-2 16'],
  thread: ['M5 4v8a4 4 0 0 0 4 4h9', 'm14 12 4 4-4 4'],
  at: ['M16 8v5a3 3 0 0 0 5 2 9.5 9.5 0 1 0-4 4', 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0'],
  chats: ['M4 5h12v9H9l-5 4z', 'M19 9h1v12l-4-3h-5'],
  people: [
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 3-6 7-6s7 2 7 6',
    'M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.500c2.500.5 4 2.500 4 5.500',
  ],
  menu: ['M4 7h16M4 12h16M4 17h16'],
  more: ['M5 12h.01M12 12h.01M19 12h.01'],
  reply: ['m9 6-6 6 6 6', 'M3 12h10c5 0 8 2 8 7'],
  close: ['M6 6l12 12M18 6 6 18'],
  send: ['M4 12 3 4l18 8-18 8 1-8zm0 0h8'],
  plus: ['M12 5v14M5 12h14'],
  check: ['m5 12.500 4.500 4.500L19 7.500'],
  down: ['m6 9 6 6 6-6'],
  slash: ['M16 4 8 20'],
  moon: ['M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500z'],
  sun: [
    'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
    'M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400',
  ],
  auto: ['M12 3a9 9 0 1 0 0 18z', 'M12 3a9 9 0 0 1 0 18'],
  eye: ['M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z', 'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z'],
  file: ['M6 3h8l5 5v13H6z', 'M14 3v5h5'],
  link: ['M14 4h6v6M20 4l-9 9', 'M18 14v6H4V6h6'],
  trash: ['M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14'],
  copy: ['M9 9h11v11H9z', 'M15 9V4H4v11h5'],
  bell: ['M6 17V11a6 6 0 0 1 12 0v6l2 1H4z', 'M10 21h4'],
  bolt: ['M13 3 5 14h6l-1 7 8-11h-6z'],
  alert: ['M12 4 2.500 20h19z', 'M12 10v4M12 17h.01'],
  rook: ['M6 20h12l-1-3H7zM8 17l1-7h6l1 7M7 10h10V4h-2.500v2.500h-1.300V4h-2.400v2.500H9.500V4H7z'],
};

/** Returns an icon by name; it is decorative, so hidden from screen readers. */
export function icon(name, size = 20) {
  const svg = document.createElementNS(SVG, 'svg');
  const attributes = {
    viewBox: '0 0 24 24',
    width: size,
    height: size,
    class: `icon icon-${name}`,
    'aria-hidden': 'true',
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  for (const shape of SHAPES[name]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', shape);
    svg.append(path);
  }
  return svg;
}
