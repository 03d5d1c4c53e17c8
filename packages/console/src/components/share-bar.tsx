interface Share {
  readonly key: string;
  readonly count: number;
  readonly tone: string;
}

interface ShareBarProps {
  readonly shares: readonly Share[];
  /** Says in words what the picture shows. */
  readonly label: string;
  readonly isSlim?: boolean;
}

/** Parts of a whole, side by side. A part that is there is never too small to be seen. */
export function ShareBar({ shares, label, isSlim = false }: ShareBarProps) {
  return (
    <div className={isSlim ? 'share-bar slim' : 'share-bar'} role="img" aria-label={label} title={label}>
      {shares.map(({ key, count, tone }) =>
        count === 0 ? null : <span key={key} className={`fill-${tone}`} style={{ flexGrow: count }} />,
      )}
    </div>
  );
}
