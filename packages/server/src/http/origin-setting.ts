export const anyOrigin = '*';

/** Returns what is wrong with a list of origins, if anything. */
export function checkOrigins(origins: readonly string[]): string | undefined {
  const wrong = origins.find((origin) => origin !== anyOrigin && !isOrigin(origin));
  if (wrong === undefined) return undefined;
  return `must have origins such as https://console.example.com, without a path, got ${JSON.stringify(wrong)}`;
}

/** As browsers write it: lower case, no path, no port that the scheme has anyway. */
function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
