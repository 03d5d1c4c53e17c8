import module from 'node:module';

const needed = 26;
if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(`roster: Node.js ${needed} or later is needed, this is ${process.version}\n`);
  process.exit(1);
}
// Plain JavaScript, because only what comes after this call need not be compiled again next time.
module.enableCompileCache();
const { runServer } = await import('../src/main/run-server.ts');
await runServer(process.env);
