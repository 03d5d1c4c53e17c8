import type { ResourceType } from '@roster/client';
import { Text } from '../../components/text.tsx';
import { useMessages } from '../../messages/messages.ts';

interface TypeTableProps {
  /** Undefined while loading. */
  readonly types: readonly ResourceType[] | undefined;
  /** Undefined if the user may not edit. */
  readonly onEdit: ((type: ResourceType) => void) | undefined;
}

export function TypeTable({ types, onEdit }: TypeTableProps) {
  const { types: words, common, fields } = useMessages();
  return (
    <div className="scroll-x">
      <table className="plain-table" aria-busy={types === undefined}>
        <thead>
          <tr>
            <th>{words.label}</th>
            <th>{fields.type_key}</th>
            <th>{words.labels}</th>
            <th>{fields.product}</th>
            <th>{fields.alertable}</th>
            {onEdit && (
              <th>
                <span className="visually-hidden">{words.edit}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {types?.map((type) => (
            <tr key={type.key}>
              <td className="strong">
                <Text value={type.label} />
              </td>
              <td>
                <Text value={type.key} className="mono" />
              </td>
              <td>
                <Labels labels={type.labels} />
              </td>
              <td>
                <Text value={type.product} />
              </td>
              <td>{type.alertable ? common.yes : <span className="quiet">{common.no}</span>}</td>
              {onEdit && (
                <td className="number">
                  <button
                    type="button"
                    className="button"
                    aria-label={`${words.edit} ${type.label}`}
                    onClick={() => onEdit(type)}
                  >
                    {words.edit}
                  </button>
                </td>
              )}
            </tr>
          )) ?? (
            <tr>
              <td colSpan={6}>
                <span className="skeleton" />
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function Labels({ labels }: { readonly labels: ResourceType['labels'] }) {
  return (
    <span className="labels">
      {Object.entries(labels).map(([language, label]) => (
        <span key={language} className="chip">
          <span className="quiet">{language}</span>
          <Text value={label} />
        </span>
      ))}
    </span>
  );
}
