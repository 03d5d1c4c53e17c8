/** A default label: `resource_type.compute.gpu_node` becomes "Compute gpu node". */
export function labelFromKey(key: string): string {
  const words = key
    .split(/[._-]+/)
    .slice(2)
    .filter((word) => word !== '');
  const text = words.join(' ') || key;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
