import { Text } from '../../components/text.tsx';
import { Link } from '../../navigation/link.tsx';

interface LabelsProps {
  readonly labels: Readonly<Record<string, string>>;
  /** With it, each label is a link. */
  readonly hrefOf?: (key: string, value: string) => string;
}

/** The labels of a resource as small chips. */
export function Labels({ labels, hrefOf }: LabelsProps) {
  return (
    <span className="label-chips">
      {Object.entries(labels).map(([key, value]) => {
        const text = <Text value={`${key}=${value}`} />;
        return (
          <span key={key} className="label-chip">
            {hrefOf ? <Link href={hrefOf(key, value)}>{text}</Link> : text}
          </span>
        );
      })}
    </span>
  );
}
