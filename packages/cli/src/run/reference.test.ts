import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { commonFlags } from '../command/flags.ts';
import { connectionFlags } from '../connection/connection.ts';
import { commandTable } from './command-table.ts';
import { renderFlags, renderReference, usedConnectionFlags } from './help.ts';

const page = fileURLToPath(new URL('../../../../docs/reference/command-line.md', import.meta.url));
const block = (text: string) => `\`\`\`\n${text}\n\`\`\`\n`;

const intro = `# The \`roster\` command

Every command with its flags. \`roster help COMMAND\` prints the same; [the guide](../guide/command-line.md) shows examples at work.

Every command takes the common flags:

${block(renderFlags(commonFlags).join('\n'))}
Commands that talk to a server also take the connection flags:

${block(renderFlags(connectionFlags).join('\n'))}`;

it('matches the reference page, which npx vitest run --update rewrites', async () => {
  const sections = Object.entries(commandTable).map(async ([name, { summary, load }]) => {
    const command = await load();
    const used = Object.keys(usedConnectionFlags(command));
    const sentences = [`${summary[0]!.toUpperCase()}${summary.slice(1)}.`];
    if (used.length === Object.keys(connectionFlags).length) sentences.push('Takes the connection flags.');
    else if (used.length > 0) sentences.push(`Takes ${used.map((flag) => `\`--${flag}\``).join(' and ')}.`);
    return `## roster ${name}\n\n${sentences.join(' ')}\n\n${block(renderReference(command))}`;
  });
  await expect([intro, ...(await Promise.all(sections))].join('\n')).toMatchFileSnapshot(page);
});
