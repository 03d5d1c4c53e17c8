import { enableCompileCache } from 'node:module';

// Plain JavaScript, because only what comes after this call need not be compiled again next time.
enableCompileCache();
const { runServer } = await import('../src/run-server.ts');
await runServer(process.env);
