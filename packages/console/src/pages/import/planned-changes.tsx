import type { Plan } from '@roster/client';
import { ChangeMark, FieldDifferences } from '../../components/change.tsx';
import { Text } from '../../components/text.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';

/** The changes of a plan, as many as the server lists. */
export function PlannedChanges({ plan }: { readonly plan: Plan }) {
  const { import: words } = useMessages();
  const { language } = usePreferences();
  if (plan.changes.length === 0) return null;
  const isCut = plan.changes.length < plan.total_changes;
  return (
    <>
      {isCut && (
        <p className="quiet">
          {words.firstChanges(
            formatCount(plan.changes.length, language),
            formatCount(plan.total_changes, language),
          )}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <ul className="planned card" tabIndex={0} aria-label={words.plan}>
        {plan.changes.map(({ change, line, resource_id, resource, fields }) => (
          <li key={`${change} ${resource_id}`}>
            <ChangeMark change={change} />
            <span className="planned-name">
              <Text value={resource.display_name} className="strong" />
              <Text value={resource_id} className="quiet mono" />
            </span>
            <span className="quiet numeric">{line === undefined ? '' : words.line(line)}</span>
            {fields && <FieldDifferences fields={fields} />}
          </li>
        ))}
      </ul>
    </>
  );
}
