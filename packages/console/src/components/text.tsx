/** Text from the inventory: on one line, truncated, and isolated from the surrounding text direction. */
export function Text({ value, className = '' }: { readonly value: string; readonly className?: string }) {
  return (
    <bdi className={`text ${className}`} title={value === '' ? undefined : value}>
      {value}
    </bdi>
  );
}
