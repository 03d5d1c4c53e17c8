import { HttpError, isNotFound, type ResourceType, type RosterClient } from '@roster/client';
import type { Call, Command } from '../command/command.ts';
import { UsageError } from '../command/errors.ts';
import { connect, connectionFlags } from '../connection/connection.ts';
import { printValue, valueFlags } from '../output/print-value.ts';
import { printRows, rowFlags, sortRows } from '../output/rows.ts';
import type { View } from '../output/view.ts';

const view: View<ResourceType> = {
  columns: [
    { name: 'key', header: 'KEY', value: ({ key }) => key },
    { name: 'label', header: 'LABEL', value: ({ label }) => label },
    { name: 'product', header: 'PRODUCT', value: ({ product }) => product, isSpare: true },
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
  about: 'Lists the resource types by key.',
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
    'Creates a resource type, or changes only the given fields of one. --product and --alertable are defaults ' +
    'for new resources of the type.',
  takes: [1, 1],
  flags: {
    label: {
      type: 'string',
      multiple: true,
      value: 'LANGUAGE=TEXT',
      about: 'display name in a language; empty removes it',
    },
    product: {
      type: 'string',
      mayBeEmpty: true,
      value: 'PRODUCT',
      about: 'default product',
    },
    alertable: {
      type: 'string',
      value: 'true|false',
      choices: ['true', 'false'],
      about: 'whether resources can have alerts by default',
    },
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [
    [
      "roster types set resource_type.compute.gpu_node --label 'en=GPU node' --label zh-CN=GPU节点",
      'labels in two languages',
    ],
    ['roster types set resource_type.storage.volume --alertable false', 'volumes have no alerts'],
  ],
  run: runSet,
};

export const typesDelete: Command = {
  name: 'types delete',
  usage: 'KEY [FLAGS]',
  about: 'Deletes a resource type, unless resources use it.',
  takes: [1, 1],
  flags: connectionFlags,
  examples: [['roster types delete resource_type.compute.old', 'an unused type']],
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
  const {
    labels,
    product = '',
    alertable = true,
  } = found === 'damaged' || found === undefined ? { labels: {} } : found;
  const kept = Object.entries({ ...labels, ...changed }).filter(([, label]) => label !== '');
  const alertableText = given.text('alertable');
  const changedType = {
    labels: Object.fromEntries(kept),
    product: given.text('product') ?? product,
    alertable: alertableText === undefined ? alertable : alertableText === 'true',
  };
  // A damaged type has no version to compare with, so it is overwritten.
  const ifVersion = found === 'damaged' ? undefined : (found?.version ?? null);
  const { created, type } = await client.manage.putType(key, changedType, { ifVersion });
  await printValue(type, () => `${created ? 'created' : 'changed'}: ${terminal.safe(type.key)}\n`, call);
}

async function findType(client: RosterClient, key: string): Promise<ResourceType | 'damaged' | undefined> {
  try {
    return await client.manage.type(key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (error instanceof HttpError && error.code === 'data_damaged') return 'damaged';
    throw error;
  }
}

function readLabels(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, language, label] = /^([A-Za-z0-9-]+)=(.*)$/s.exec(text) ?? [];
      if (language !== undefined) return [language, label!];
      throw new UsageError(
        `--label must be LANGUAGE=TEXT, such as 'en=GPU node', got ${JSON.stringify(text)}`,
      );
    }),
  );
}

function showLabels(labels: ResourceType['labels']): string {
  return Object.entries(labels)
    .map(([language, label]) => `${language}=${label}`)
    .join(', ');
}
