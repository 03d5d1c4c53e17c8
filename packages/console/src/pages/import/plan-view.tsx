import type { Plan } from '@roster/client';
import { useState } from 'react';
import { Notice } from '../../components/notice.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { PlannedChanges } from './planned-changes.tsx';
import { removedFiring } from './removed-firing.ts';
import type { Mode } from './use-import.ts';

interface PlanViewProps {
  readonly plan: Plan;
  readonly mode: Mode;
  readonly stationName: string;
  readonly isBusy: boolean;
  readonly onApply: () => void;
}

/** The plan and the button that applies it. A replace is confirmed by typing the station's name. */
export function PlanView({ plan, mode, stationName, isBusy, onApply }: PlanViewProps) {
  const { import: words } = useMessages();
  const { language } = usePreferences();
  const [typed, setTyped] = useState('');
  const count = (value: number) => formatCount(value, language);
  const needsName = mode === 'replace' && plan.total_changes > 0;
  const isConfirmed = !needsName || typed === stationName;
  return (
    <section className="stack" aria-label={words.plan}>
      <PlanFigures plan={plan} />
      <NewValues intro={words.newTypes} values={plan.new_types} />
      <NewValues intro={words.newStates} values={plan.new_states} />
      <Removals plan={plan} />
      {plan.left_alone ? (
        <LeftAlone {...plan.left_alone} />
      ) : (
        plan.total_changes === 0 && <Notice tone="info">{words.nothingToDo}</Notice>
      )}
      <PlannedChanges plan={plan} />
      {plan.total_changes > 0 && (
        <form
          className="apply"
          onSubmit={(event) => {
            event.preventDefault();
            if (isConfirmed) onApply();
          }}
        >
          {needsName && (
            <label>
              <span>{words.typeName(stationName)}</span>
              <input
                value={typed}
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => setTyped(target.value)}
              />
            </label>
          )}
          <button
            type="submit"
            className={mode === 'replace' ? 'button danger' : 'button primary'}
            disabled={!isConfirmed || isBusy}
          >
            {words.apply(plan.total_changes, count(plan.total_changes))}
          </button>
          <span className="quiet">{words.exactly}</span>
        </form>
      )}
    </section>
  );
}

/** A warning if the plan removes most of the station, or what is firing. */
function Removals({ plan }: { readonly plan: Plan }) {
  const { import: words } = useMessages();
  const { language } = usePreferences();
  const count = (value: number) => formatCount(value, language);
  const { firing, isComplete } = removedFiring(plan);
  if (plan.refusal === null && firing === 0) return null;
  const listed = count(plan.changes.length);
  return (
    <Notice tone="warning">
      <p>{words.removes(plan.removed, count(plan.removed), plan.refusal !== null)}</p>
      {isComplete ? (
        firing > 0 && <p className="strong">{words.removedFiring(firing, count(firing))}</p>
      ) : firing > 0 ? (
        <p className="strong">{words.removedFiringAtLeast(firing, count(firing), listed)}</p>
      ) : (
        <p>{words.removedFiringUnknown(listed)}</p>
      )}
    </Notice>
  );
}

interface NewValuesProps {
  readonly intro: string;
  readonly values: readonly string[];
}

function NewValues({ intro, values }: NewValuesProps) {
  if (values.length === 0) return null;
  return (
    <p>
      {intro}{' '}
      {values.map((value) => (
        <code key={value} className="chip">
          {value}
        </code>
      ))}
    </p>
  );
}

/** What the file says but a source of the station decides. */
function LeftAlone({ fields, records, sources }: NonNullable<Plan['left_alone']>) {
  const { import: words } = useMessages();
  const { language } = usePreferences();
  const [names, from] = [fields.join(', '), sources.join(', ')];
  return <Notice tone="info">{words.leftAlone(names, records, formatCount(records, language), from)}</Notice>;
}

function PlanFigures({ plan }: { readonly plan: Plan }) {
  const { import: words, changes } = useMessages();
  const { language } = usePreferences();
  const figures = [
    ['created', changes.created, plan.created],
    ['updated', changes.updated, plan.updated],
    ['removed', changes.removed, plan.removed],
    ['unchanged', words.unchanged, plan.unchanged],
  ] as const;
  return (
    <dl className="tiles">
      {figures.map(([id, label, value]) => (
        <div key={id} className={value > 0 ? `tile ${id}` : 'tile'}>
          <dt>{label}</dt>
          <dd className="numeric">{formatCount(value, language)}</dd>
        </div>
      ))}
    </dl>
  );
}
