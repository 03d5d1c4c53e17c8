import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { commandTable } from './command-table.ts';
import { renderHelp } from './help.ts';
import { plain } from './output/paint.ts';

const page = fileURLToPath(new URL('../../../docs/reference/command-line.md', import.meta.url));
const intro = `# The \`roster\` command

Every command with all its flags, as \`roster help COMMAND\` prints it. [The guide](../guide/command-line.md) shows them at work.
`;

it('is described in the reference as it is; npx vitest run -u writes that page anew', async () => {
  const sections = Object.entries(commandTable).map(async ([name, { summary, load }]) => {
    const help = renderHelp(await load(), plain).trimEnd();
    return `## roster ${name}\n\n${summary[0]!.toUpperCase()}${summary.slice(1)}.\n\n\`\`\`\n${help}\n\`\`\`\n`;
  });
  await expect([intro, ...(await Promise.all(sections))].join('\n')).toMatchFileSnapshot(page);
});
