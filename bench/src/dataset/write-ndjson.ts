import { open } from 'node:fs/promises';
import { type Resource, renderResourceHead, renderResourceTail } from '@roster/contract';
import { resourceKinds } from './resource-kinds.ts';

const linesPerWrite = 5000;
const heads = new Map(
  resourceKinds.map((kind) => [kind.typeKey, renderResourceHead(kind.typeKey, kind.label)]),
);

/** Writes records for import: the documented fields, `product` and `alertable`. */
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
  const listed = `${heads.get(resource.typeKey)}${renderResourceTail(resource)}`;
  return `${listed.slice(0, -1)},"product":"${resource.product}","alertable":${resource.alertable}}\n`;
}
