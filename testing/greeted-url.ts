import type { ChildProcess } from 'node:child_process';

/** Where a server listens, as it says once it does. */
export async function greetedUrl(child: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout!) {
    output += chunk;
    const url = /is listening on (\S+)\n/.exec(output)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the server ended instead of starting: ${output}`);
}
