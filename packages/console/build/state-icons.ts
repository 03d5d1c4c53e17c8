const drawn = (fill: string, text: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="${fill}" />
  <text x="16" y="24" fill="#fff" font-family="system-ui, sans-serif" font-size="24" font-weight="700" text-anchor="middle">${text}</text>
</svg>
`;

const firing = '#c0261f';
const unknown = '#6a7482';

/** The icons of a page on which something fires, by file name, and of one that has lost the server. */
export const stateIcons: Readonly<Record<string, string>> = {
  'icon-lost.svg': drawn(unknown, '?'),
  'icon-many.svg': drawn(firing, '9+')
    .replace('font-size="24"', 'font-size="19"')
    .replace('y="24"', 'y="22.5"'),
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [`icon-${at + 1}.svg`, drawn(firing, String(at + 1))]),
  ),
};
