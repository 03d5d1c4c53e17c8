/** The values of a header like `Accept`, lower-cased and without parameters, best first. Quality 0 is dropped. */
export function byPreference(header: string): string[] {
  return header
    .slice(0, 1000)
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { name, quality: quality === undefined ? 1 : Number.parseFloat(quality) || 0 };
    })
    .filter(({ name, quality }) => name !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ name }) => name);
}
