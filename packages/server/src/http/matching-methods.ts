import { operations } from '@roster/contract';
import { docsPath } from './docs.ts';

const patterns = Object.values(operations).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));

/** The methods that a path can be asked with; empty when there is no such path. */
export function matchingMethods(path: string): string[] {
  if (path === docsPath || path.startsWith(`${docsPath}/`)) return ['GET', 'HEAD', 'OPTIONS'];
  const methods = new Set<string>();
  for (const { method, pattern } of patterns) {
    if (!pattern.test(path)) continue;
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return methods.size === 0 ? [] : [...methods, 'OPTIONS'];
}
