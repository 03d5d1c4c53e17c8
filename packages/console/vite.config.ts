import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vite';
import { finishBuild } from './build/finish-build.ts';

/** Where `npm run dev` finds the interface. */
const server = 'http://127.0.0.1:8080';

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'));

export default defineConfig({
  root: import.meta.dirname,
  plugins: [finishBuild()],
  define: { consoleVersion: JSON.stringify(version) },
  build: {
    target: 'es2023',
    // A data URL would be refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    // Dozens of small files would queue for the six connections that a browser opens.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'shared', test: /console[\\/]src[\\/](?!pages)/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/roster', '/monitor', '/readyz', '/openapi.json', '/docs'].map((path) => [path, server]),
    ),
  },
});
