/** Text from the inventory: on one line, cut off where there is no room, and never mixed up with its surroundings. */
export function Text({ value, className = '' }: { readonly value: string; readonly className?: string }) {
  return (
    <bdi className={`text ${className}`} title={value === '' ? undefined : value}>
      {value}
    </bdi>
  );
}
