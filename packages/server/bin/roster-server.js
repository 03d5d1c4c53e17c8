import module from 'node:module';

const needed = 26;
if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(`roster: Node.js ${needed} or later is needed, this is ${process.version}\n`);
  process.exit(1);
}
if (process.argv.length > 2) {
  process.stderr.write(
    'roster: this program takes no arguments; set variables such as ROSTER_PORT, write roster.yaml, ' +
      'or start the server with flags: roster serve --help\n',
  );
  process.exit(2);
}
// Plain JavaScript, because only what comes after this call need not be compiled again next time.
module.enableCompileCache();
const { runServer } = await import('../src/main/run-server.ts');
await runServer(process.env);
