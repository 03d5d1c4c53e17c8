import { open } from 'node:fs/promises';
import {
  type Resource,
  renderRecordKind,
  renderResourceHead,
  renderResourceTail,
  renderStateSince,
} from '@roster/contract';
import { resourceKinds } from './resource-kinds.ts';

const linesPerWrite = 5000;
const heads = new Map(
  resourceKinds.map((kind) => [kind.typeKey, renderResourceHead(kind.typeKey, kind.label)]),
);

/** Writes records for import, with every field. */
export async function writeNdjson(path: string, resources: readonly Resource[]): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let start = 0; start < resources.length; start += linesPerWrite) {
      await file.write(
        resources
          .slice(start, start + linesPerWrite)
          .map(renderRecord)
          .join(''),
      );
    }
  } finally {
    await file.close();
  }
}

function renderRecord(resource: Resource): string {
  const { typeKey, product, alertable, stateSinceMs, labels } = resource;
  const listed = `${heads.get(typeKey)}${renderResourceTail(resource)}`.slice(0, -1);
  return `${listed}${renderRecordKind(product, alertable)}${renderStateSince(stateSinceMs)},"labels":${labels}}\n`;
}
