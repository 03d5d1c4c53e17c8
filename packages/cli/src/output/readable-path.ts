// Characters that would end a name, read as an encoding, or be invisible.
const unreadable = /[/%]|\p{C}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|^ +| +$/gu;

/** Decodes a path for people, except where a character must stay encoded. Commands accept the result. */
export function readablePath(path: string): string {
  return path.split('/').map(readableSegment).join('/');
}

/** A scope writes a literal star as `%2A`, so that one stays encoded. */
function readableSegment(segment: string): string {
  return segment
    .split('%2A')
    .map((part) => decodeURIComponent(part).replace(unreadable, encodeURIComponent))
    .join('%2A');
}
