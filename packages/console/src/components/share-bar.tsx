interface Share {
  readonly key: string;
  readonly count: number;
  readonly tone: string;
}

interface ShareBarProps {
  readonly shares: readonly Share[];
  /** Text alternative of the bar. */
  readonly label: string;
  readonly isSlim?: boolean;
}

/** A stacked bar. Every share above zero stays visible. */
export function ShareBar({ shares, label, isSlim = false }: ShareBarProps) {
  return (
    <div className={isSlim ? 'share-bar slim' : 'share-bar'} role="img" aria-label={label} title={label}>
      {shares.map(({ key, count, tone }) =>
        count === 0 ? null : <span key={key} className={`fill-${tone}`} style={{ flexGrow: count }} />,
      )}
    </div>
  );
}
