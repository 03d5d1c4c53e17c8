import type { StationAddress, WriteResult } from '@roster/client';
import { Notice } from '../../components/notice.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { stationHref } from '../../navigation/route.ts';
import { usePreferences } from '../../preferences/preferences.ts';

interface ImportDoneProps {
  readonly address: StationAddress;
  readonly result: WriteResult;
  readonly onAgain: () => void;
}

export function ImportDone({ address, result, onAgain }: ImportDoneProps) {
  const { import: words, changes } = useMessages();
  const { language } = usePreferences();
  const counts = (['created', 'updated', 'removed'] as const)
    .map((change) => `${changes[change]} ${formatCount(result[change], language)}`)
    .join(' · ');
  return (
    <div className="stack">
      <Notice tone="success">
        <p>
          <strong>{words.done}</strong> {counts}
        </p>
        <p className="quiet">{words.atRevision(result.revision)}</p>
      </Notice>
      <div className="actions">
        <Link className="button primary" href={stationHref(address)}>
          {words.showStation}
        </Link>
        <button type="button" className="button" onClick={onAgain}>
          {words.another}
        </button>
      </div>
    </div>
  );
}
