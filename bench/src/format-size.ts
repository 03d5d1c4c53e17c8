/** 10000 is `10k`, 1000000 is `1M`. */
export function formatSize(size: number): string {
  return size >= 1_000_000 ? `${size / 1_000_000}M` : `${size / 1000}k`;
}
