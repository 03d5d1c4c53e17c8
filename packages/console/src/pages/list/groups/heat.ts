/** The colour of a group by the share that fires: none, some, many, most. */
export function heat(firing: number, total: number): string {
  if (firing === 0) return 'heat-0';
  const share = firing / total;
  if (share < 0.05) return 'heat-1';
  return share < 0.25 ? 'heat-2' : 'heat-3';
}
