import { countOf, type OpenQuestion, refusal, rowsOf, type Site, textOf, typeOf } from './question.ts';

const noType = 'resource_type.none.none';
const page = '&page.offset=0&page.size=5';

export const filterQuestions: readonly OpenQuestion[] = [
  {
    id: 'delimiter',
    question: 'How are the items of a list separated?',
    ours: 'comma and repetition',
    async find({ prober, sample }) {
      if (sample.length < 2) return undefined;
      const [a = '', b = ''] = sample.map((row) => encodeURIComponent(textOf(row, 'resource_id')));
      const byComma = rowsOf(await prober.ask(`resource_ids=${a},${b}${page}`))?.length === 2;
      const byRepetition =
        rowsOf(await prober.ask(`resource_ids=${a}&resource_ids=${b}${page}`))?.length === 2;
      if (byComma && byRepetition) return 'comma and repetition';
      return byComma ? 'comma' : byRepetition ? 'repetition' : 'neither comma nor repetition';
    },
  },
  {
    id: 'filters-combine',
    question: 'How do an id and a type combine?',
    ours: 'and',
    async find(site) {
      const id = encodeURIComponent(textOf(site.sample[0], 'resource_id'));
      return combine(site, `resource_ids=${id}&resource_type=${noType}`);
    },
  },
  {
    id: 'types-combine',
    question: 'How do resource_type and resource_types combine?',
    ours: 'and',
    async find(site) {
      const type = encodeURIComponent(typeOf(site.sample[0]));
      return combine(site, `resource_type=${type}&resource_types=${noType}`);
    },
  },
  {
    id: 'type-case',
    question: 'Does the case of a type matter?',
    ours: 'yes',
    async find({ prober, sample }) {
      const type = encodeURIComponent(typeOf(sample[0]).toUpperCase());
      if (type === '') return undefined;
      const answer = await prober.ask(`resource_type=${type}${page}`);
      return refusal(answer) ?? (countOf(answer) === 0 ? 'yes' : 'no');
    },
  },
  {
    id: 'prefix-case',
    question: 'Does the case of a name prefix matter?',
    ours: 'yes',
    async find(site) {
      const swapped = swapCase(textOf(site.sample[0], 'display_name').slice(0, 3));
      return swapped === undefined ? undefined : (await matchLiterally(site, swapped)) ? 'yes' : 'no';
    },
  },
  {
    id: 'prefix-wildcards',
    question: 'Is % in a name prefix a wildcard?',
    ours: 'no',
    find: async (site) => ((await matchLiterally(site, '%')) ? 'no' : 'yes'),
  },
  {
    id: 'enabled-alert-false',
    question: 'What does enabled_alert=false list?',
    ours: 'everything',
    async find({ prober, total }) {
      const all = countOf(await prober.ask(`enabled_alert=true${page}`));
      const answer = await prober.ask(`enabled_alert=false${page}`);
      const count = countOf(answer);
      if (all === total) return refusal(answer);
      const otherwise = count === all ? 'the same as true' : 'only the others';
      return refusal(answer) ?? (count === total ? 'everything' : otherwise);
    },
  },
  {
    id: 'enabled-alert-words',
    question: 'What does enabled_alert=1 do?',
    ours: 'the same as true',
    async find({ prober, total }) {
      const all = countOf(await prober.ask(`enabled_alert=true${page}`));
      const answer = await prober.ask(`enabled_alert=1${page}`);
      if (all === total) return refusal(answer);
      return refusal(answer) ?? (countOf(answer) === all ? 'the same as true' : 'nothing');
    },
  },
  {
    id: 'enabled-alert-other',
    question: 'What does enabled_alert=maybe do?',
    ours: 'refused with 400',
    async find({ prober, total }) {
      const answer = await prober.ask(`enabled_alert=maybe${page}`);
      return refusal(answer) ?? (countOf(answer) === total ? 'nothing' : 'it filters');
    },
  },
  {
    id: 'empty-value',
    question: 'What does a parameter without a value do?',
    ours: 'nothing',
    async find({ prober, total }) {
      const answer = await prober.ask(`product=${page}`);
      return refusal(answer) ?? (countOf(answer) === total ? 'nothing' : 'it filters');
    },
  },
  {
    id: 'unknown-parameter',
    question: 'What does an unknown parameter do?',
    ours: 'refused with 400',
    async find({ prober, total }) {
      const answer = await prober.ask(`resourceType=${noType}${page}`);
      return refusal(answer) ?? (countOf(answer) === total ? 'nothing' : 'it filters');
    },
  },
];

async function combine({ prober, sample }: Site, query: string): Promise<string | undefined> {
  if (sample.length === 0) return undefined;
  const answer = await prober.ask(query + page);
  return refusal(answer) ?? (countOf(answer) === 0 ? 'and' : 'or, or one is ignored');
}

/** Whether every match of a prefix starts with exactly that. */
async function matchLiterally({ prober }: Site, prefix: string): Promise<boolean> {
  const rows =
    rowsOf(await prober.ask(`resource_display_name_prefix=${encodeURIComponent(prefix)}${page}`)) ?? [];
  return rows.every((row) => textOf(row, 'display_name').startsWith(prefix));
}

/** Undefined if the text has no letters with case. */
function swapCase(text: string): string | undefined {
  const upper = text.toUpperCase();
  const swapped = upper === text ? text.toLowerCase() : upper;
  return swapped === text ? undefined : swapped;
}
