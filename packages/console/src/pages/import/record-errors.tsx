import { isInvalidRecords } from '@roster/client';
import { ErrorNotice, Notice } from '../../components/notice.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';

/** What is wrong with the file, each error with its line. */
export function RecordErrors({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { import: words } = useMessages();
  const { language } = usePreferences();
  if (!isInvalidRecords(error)) return <ErrorNotice error={error} onRetry={onRetry} />;
  const { faults, fault_count: count } = error.extensions;
  return (
    <section className="stack">
      <Notice tone="error">
        <p>{words.recordErrors(count, formatCount(count, language))}</p>
        <p className="quiet">{words.repairAndChoose}</p>
      </Notice>
      <div className="scroll-x">
        <table className="plain-table record-errors">
          <thead>
            <tr>
              <th className="number">{words.position}</th>
              <th>{words.field}</th>
              <th>{words.reason}</th>
            </tr>
          </thead>
          <tbody>
            {faults.map(({ line, column, field, reason }) => (
              <tr key={`${line}:${column}:${field}:${reason}`}>
                <td className="number mono">{column === undefined ? line : `${line}:${column}`}</td>
                <td>{field === undefined ? <span className="quiet">–</span> : <code>{field}</code>}</td>
                <td className="wrap">
                  <bdi>{reason}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > faults.length && <p className="quiet">{words.firstErrors(faults.length)}</p>}
    </section>
  );
}
