/** How long the work keeps this thread busy. Other processes do not count, however many there are. */
export function busyMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
