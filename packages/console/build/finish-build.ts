import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { paintFrameFirst } from './first-frame.ts';
import { stateIcons } from './state-icons.ts';

const compressed = new Set(['.html', '.js', '.css', '.svg']);
const swagger = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')),
  'static',
);

/** Adds Swagger UI for the API reference, the icons of states, and a compressed copy of each file for the server to send. */
export function finishBuild(): Plugin {
  let out = '';
  return {
    name: 'finish-build',
    configResolved({ root, build }) {
      out = path.resolve(root, build.outDir);
    },
    closeBundle() {
      for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
        copyFileSync(path.join(swagger, file), path.join(out, 'docs', file));
      }
      paintFrameFirst(out);
      for (const [name, icon] of Object.entries(stateIcons)) {
        writeFileSync(path.join(out, 'assets', name), icon);
      }
      for (const { name, parentPath } of readdirSync(out, { recursive: true, withFileTypes: true })) {
        if (!compressed.has(path.extname(name))) continue;
        const file = path.join(parentPath, name);
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
      }
    },
  };
}
