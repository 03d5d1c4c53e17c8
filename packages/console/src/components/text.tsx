import { Fragment } from 'react';

/** Text from the inventory: on one line, truncated, and isolated from the surrounding text direction. */
export function Text({ value, className = '' }: { readonly value: string; readonly className?: string }) {
  return (
    <bdi className={`text ${className}`} title={value === '' ? undefined : value}>
      {value}
    </bdi>
  );
}

/** A path or a key, which breaks after its separators before it breaks anywhere else. */
export function Breakable({ value }: { readonly value: string }) {
  return value.split(/(?<=[/._])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
