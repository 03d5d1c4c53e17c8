let text: string | undefined;

/** Now, as in the header `Date`. */
export function httpDate(): string {
  if (text === undefined) {
    const now = Date.now();
    text = new Date(now).toUTCString();
    setTimeout(forget, 1000 - (now % 1000)).unref();
  }
  return text;
}

function forget(): void {
  text = undefined;
}
