import type { Alert } from '../alert.ts';
import type { AlertmanagerAnswer } from '../alertmanager/read-alerts.ts';
import type { Labels } from '../http/shape.ts';
import type { Rules } from '../prometheus/read-rules.ts';

/** An answer on its way between threads: its many alike items, which go in slices, and the rest. */
export interface PackedAnswer<Item, Rest> {
  readonly items: readonly Item[];
  readonly rest: Rest;
}

interface Packing<Answer, Item, Rest> {
  pack(answer: Answer): PackedAnswer<Item, Rest>;
  unpack(packed: PackedAnswer<Item, Rest>): Answer;
}

type RulesRest = Omit<Rules, 'alerting'> & {
  /** With the number of their alerts. */
  readonly alerting: readonly (Omit<Rules['alerting'][number], 'alerts'> & { readonly alerts?: number })[];
};

type Series = ReadonlyMap<string, readonly Labels[]>;

const rules: Packing<Rules, Alert, RulesRest> = {
  pack: (answer) => ({
    items: answer.alerting.flatMap(({ alerts }) => alerts ?? []),
    rest: {
      ...answer,
      alerting: answer.alerting.map(({ alerts, ...rule }) =>
        alerts === undefined ? rule : { ...rule, alerts: alerts.length },
      ),
    },
  }),
  unpack({ items, rest }) {
    let at = 0;
    const alerting = rest.alerting.map((rule) => {
      const { alerts: count } = rule;
      const alerts = count === undefined ? undefined : items.slice(at, at + count);
      at += count ?? 0;
      return { ...rule, alerts };
    });
    return { ...rest, alerting };
  },
};

const alertmanager: Packing<AlertmanagerAnswer, Alert, Omit<AlertmanagerAnswer, 'alerts'>> = {
  pack: ({ alerts, ...rest }) => ({ items: alerts, rest }),
  unpack: ({ items, rest }) => ({ ...rest, alerts: items }),
};

const targets: Packing<readonly Labels[], Labels, null> = {
  pack: (items) => ({ items, rest: null }),
  unpack: ({ items }) => items,
};

/** Selectors share most of their labels: each has the positions of its own. */
const series: Packing<Series, Labels, readonly (readonly [string, Uint32Array])[]> = {
  pack(answer) {
    const positions = new Map<Labels, number>();
    const positionOf = (labels: Labels) => positions.getOrInsertComputed(labels, () => positions.size);
    const rest = [...answer].map(
      ([selector, found]) => [selector, Uint32Array.from(found, positionOf)] as const,
    );
    return { items: [...positions.keys()], rest };
  },
  unpack: ({ items, rest }) =>
    new Map(rest.map(([selector, positions]) => [selector, Array.from(positions, (at) => items[at]!)])),
};

/** By question. */
export const packings = { rules, alertmanager, targets, series };
