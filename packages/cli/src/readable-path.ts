// What would end a name, be taken for an encoding, or not be seen.
const unreadable = /[/%]|\p{C}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|^ +| +$/gu;

/** A path of percent-encoded names for people, of which only what is needed stays encoded. Commands take it as it is. */
export function readablePath(path: string): string {
  return path.split('/').map(readableSegment).join('/');
}

/** A scope writes a star that is part of a name as `%2A`, which therefore stays. */
function readableSegment(segment: string): string {
  return segment
    .split('%2A')
    .map((part) => decodeURIComponent(part).replace(unreadable, encodeURIComponent))
    .join('%2A');
}
