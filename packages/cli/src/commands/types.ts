import { isNotFound, type ResourceType, type RosterClient } from '@roster/client';
import type { Call, Command } from '../command.ts';
import { connect, connectionFlags } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { printRows, rowFlags, sortRows, type View } from '../output/rows.ts';
import { printOne, valueFlags } from '../output/value.ts';

const view: View<ResourceType> = {
  columns: [
    { name: 'key', header: 'KEY', value: ({ key }) => key },
    { name: 'label', header: 'LABEL', value: ({ label }) => label },
    { name: 'product', header: 'PRODUCT', value: ({ product }) => product },
    {
      name: 'alertable',
      header: 'ALERTABLE',
      value: ({ alertable }) => alertable,
      show: ({ alertable }) => (alertable ? 'yes' : 'no'),
    },
    {
      name: 'labels',
      header: 'LABELS',
      value: ({ labels }) => showLabels(labels),
      isWide: true,
    },
  ],
  nameOf: ({ key }) => key,
  nothing: 'there are no resource types',
};

export const typesList: Command = {
  name: 'types list',
  usage: '[FLAGS]',
  about: 'Lists the resource types that the server knows, by key.',
  takes: [0, 0],
  flags: { ...rowFlags(view.columns.map(({ name }) => name)), ...connectionFlags },
  examples: [['roster types list -o wide', 'with the labels in all languages']],
  async run(call) {
    const client = await connect(call);
    await printRows(sortRows(await client.manage.types(), view, call), view, call);
  },
};

export const typesSet: Command = {
  name: 'types set',
  usage: 'KEY [FLAGS]',
  about:
    'Creates a resource type, or changes what is given of it and keeps the rest. Product and alertable count for ' +
    'new resources that do not say so themselves.',
  takes: [1, 1],
  flags: {
    label: {
      type: 'string',
      multiple: true,
      value: 'LANGUAGE=TEXT',
      about: 'the name for people in a language; an empty text removes it',
    },
    product: {
      type: 'string',
      mayBeEmpty: true,
      value: 'PRODUCT',
      about: 'the product of new resources of this type',
    },
    alertable: {
      type: 'string',
      value: 'true|false',
      choices: ['true', 'false'],
      about: 'whether new resources of this type can have alerts',
    },
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [
    [
      "roster types set resource_type.compute.gpu_node --label 'en=GPU node' --label zh-CN=GPU节点",
      'labels in two languages',
    ],
    ['roster types set resource_type.storage.volume --alertable false', 'volumes are not watched'],
  ],
  run: runSet,
};

export const typesDelete: Command = {
  name: 'types delete',
  usage: 'KEY [FLAGS]',
  about: 'Deletes a resource type. One that resources are of stays.',
  takes: [1, 1],
  flags: connectionFlags,
  examples: [['roster types delete resource_type.compute.old', 'a type that is no longer used']],
  async run(call) {
    const [key = ''] = call.given.positionals;
    await (await connect(call)).manage.deleteType(key);
    await call.terminal.tell(`deleted: ${call.terminal.safe(key)}`);
  },
};

async function runSet(call: Call): Promise<void> {
  const { given, terminal } = call;
  const [key = ''] = given.positionals;
  const changed = readLabels(given.all('label'));
  const client = await connect(call);
  const found = await findType(client, key);
  const { labels, product = '', alertable = true } = found ?? { labels: {} };
  const kept = Object.entries({ ...labels, ...changed }).filter(([, label]) => label !== '');
  const alertableText = given.text('alertable');
  const changedType = {
    labels: Object.fromEntries(kept),
    product: given.text('product') ?? product,
    alertable: alertableText === undefined ? alertable : alertableText === 'true',
  };
  const ifVersion = found === undefined ? null : found.version;
  const { created, type } = await client.manage.putType(key, changedType, { ifVersion });
  await printOne(type, () => `${created ? 'created' : 'changed'}: ${terminal.safe(type.key)}\n`, call);
}

async function findType(client: RosterClient, key: string): Promise<ResourceType | undefined> {
  try {
    return await client.manage.type(key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function readLabels(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, language, label] = /^([A-Za-z0-9-]+)=(.*)$/s.exec(text) ?? [];
      if (language !== undefined) return [language, label!];
      throw new UsageError(
        `--label is written as LANGUAGE=TEXT, such as 'en=GPU node', got ${JSON.stringify(text)}`,
      );
    }),
  );
}

function showLabels(labels: ResourceType['labels']): string {
  return Object.entries(labels)
    .map(([language, label]) => `${language}=${label}`)
    .join(', ');
}
