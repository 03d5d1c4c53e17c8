import { isInvalidRecords } from '@roster/client';
import { ErrorNotice, Notice } from '../../components/notice.tsx';
import { saveFile } from '../../components/save-file.ts';
import { formatCount } from '../../format/format.ts';
import { reasonIn } from '../../messages/fault-reasons.ts';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { type FaultGroup, faultsAsCsv, groupFaults } from './group-faults.ts';

const firstPlaces = 8;

/** What is wrong with the file, by cause, each with its lines. */
export function RecordErrors({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { import: words } = useMessages();
  const { language } = usePreferences();
  if (!isInvalidRecords(error)) return <ErrorNotice error={error} onRetry={onRetry} />;
  const { faults: told, fault_count: count } = error.extensions;
  const faults = told.map((fault) => ({ ...fault, reason: reasonIn(language, fault.reason) }));
  const save = () => saveFile(new Blob([faultsAsCsv(faults)], { type: 'text/csv' }), 'errors.csv');
  return (
    <section className="stack">
      <Notice tone="error">
        <p>{words.recordErrors(count, formatCount(count, language))}</p>
        <p className="quiet">{words.repairAndChoose}</p>
        <button type="button" className="button" onClick={save}>
          {words.saveErrors}
        </button>
      </Notice>
      <div className="scroll-x">
        {/* biome-ignore lint/a11y/noRedundantRoles: a table that is laid out as cards loses its roles. */}
        <table className="plain-table record-errors" role="table">
          {/* biome-ignore lint/a11y/noRedundantRoles: see above. */}
          <thead role="rowgroup">
            {/* biome-ignore lint/a11y/noRedundantRoles: see above. */}
            <tr role="row">
              <th className="number">{words.errorCount}</th>
              <th>{words.field}</th>
              <th>{words.reason}</th>
              <th>{words.position}</th>
            </tr>
          </thead>
          {/* biome-ignore lint/a11y/noRedundantRoles: see above. */}
          <tbody role="rowgroup">
            {groupFaults(told).map((group) => (
              <FaultRow key={`${group.field} ${group.reason}`} group={group} />
            ))}
          </tbody>
        </table>
      </div>
      {count > faults.length && (
        <p className="quiet">{words.firstErrors(formatCount(faults.length, language))}</p>
      )}
    </section>
  );
}

function FaultRow({ group }: { readonly group: FaultGroup }) {
  const { import: words } = useMessages();
  const { language } = usePreferences();
  const { field, reason, isExample, faults } = group;
  const places = faults
    .slice(0, firstPlaces)
    .map(({ line, column }) => (column === undefined ? line : `${line}:${column}`));
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above.
    <tr role="row">
      <td className="number strong" data-label={words.errorCount}>
        {formatCount(faults.length, language)}
      </td>
      <td data-label={words.field}>
        {field === undefined ? <span className="quiet">–</span> : <code>{field}</code>}
      </td>
      <td className="wrap" data-label={words.reason}>
        {isExample && <span className="quiet">{words.forExample} </span>}
        <bdi>{reasonIn(language, reason)}</bdi>
      </td>
      <td className="wrap mono numeric" data-label={words.position}>
        {places.join(', ')}
        {faults.length > firstPlaces && ' …'}
      </td>
    </tr>
  );
}
