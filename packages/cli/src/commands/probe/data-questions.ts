import { resourceTailFields } from '@roster/contract';
import { type OpenQuestion, type RawResource, type Site, textOf } from './question.ts';

const documentedFields: readonly string[] = ['resource_type', ...resourceTailFields];

export const dataQuestions: readonly OpenQuestion[] = [
  {
    id: 'rules-count',
    question: 'What is alert_rules_count?',
    ours: 'number',
    find: async ({ sample }) => describeAll(sample, ({ alert_rules_count: count }) => typeof count),
  },
  {
    id: 'create-time',
    question: 'How is create_time written?',
    ours: 'RFC 3339 in UTC with a fraction',
    find: async ({ sample }) => describeAll(sample, (row) => describeTime(textOf(row, 'create_time'))),
  },
  {
    id: 'states',
    question: 'Which states are there?',
    ours: 'tokens ALERTSTATE_…',
    find: async ({ sample }) =>
      describeAll(sample, (row) => {
        const state = textOf(row, 'state');
        return /^ALERTSTATE_[A-Z0-9_]+$/.test(state) ? 'tokens ALERTSTATE_…' : `${JSON.stringify(state)}`;
      }),
  },
  {
    id: 'fields',
    question: 'Which fields does a resource have?',
    ours: 'the documented ones',
    find: async ({ sample }) => describeAll(sample, describeFields),
  },
  {
    id: 'order',
    question: 'In which order do resources come?',
    ours: 'by display_name, then resource_id',
    find: describeOrder,
  },
];

/** The distinct descriptions of all rows, usually one. */
function describeAll(
  rows: readonly RawResource[],
  describe: (row: RawResource) => string,
): string | undefined {
  return rows.length === 0 ? undefined : [...new Set(rows.map(describe))].join('; ');
}

function describeTime(text: string): string {
  const [, fraction, zone] = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  if (zone === undefined) return `such as ${JSON.stringify(text)}`;
  return `RFC 3339 ${zone === 'Z' ? 'in UTC' : 'with an offset'} ${fraction ? 'with' : 'without'} a fraction`;
}

function describeFields(row: RawResource): string {
  const more = Object.keys(row).filter((name) => !documentedFields.includes(name));
  const missing = documentedFields.filter((name) => !(name in row));
  if (more.length + missing.length === 0) return 'the documented ones';
  return [...more.map((name) => `also ${name}`), ...missing.map((name) => `not ${name}`)].join(', ');
}

async function describeOrder({ sample }: Site): Promise<string | undefined> {
  if (sample.length < 3) return undefined;
  const keys = sample.map((row) => [textOf(row, 'display_name'), textOf(row, 'resource_id')] as const);
  const isOrdered = (before: (at: number) => boolean) => keys.slice(1).every((_, at) => before(at));
  if (isOrdered((at) => !isAfter(keys[at]!, keys[at + 1]!))) return 'by display_name, then resource_id';
  return isOrdered((at) => keys[at]![1] <= keys[at + 1]![1]) ? 'by resource_id' : 'another';
}

function isAfter([nameA, idA]: readonly [string, string], [nameB, idB]: readonly [string, string]): boolean {
  return nameA === nameB ? idA > idB : nameA > nameB;
}
