import { Link } from '../navigation/link.tsx';

interface LabelsProps {
  readonly labels: Readonly<Record<string, string>>;
  /** With it, each label is a link. */
  readonly hrefOf?: (key: string, value: string) => string;
}

/** The labels of a resource as small chips, and all of them on hover where they do not fit. */
export function Labels({ labels, hrefOf }: LabelsProps) {
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return (
    <span className="label-chips" title={texts.join(', ')}>
      {Object.entries(labels).map(([key, value]) => {
        const text = <bdi className="text">{`${key}=${value}`}</bdi>;
        return (
          <span key={key} className="label-chip">
            {hrefOf ? <Link href={hrefOf(key, value)}>{text}</Link> : text}
          </span>
        );
      })}
    </span>
  );
}
