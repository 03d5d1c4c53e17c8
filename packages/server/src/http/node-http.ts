/**
 * Without an `import`: that reads every export of a built-in module, and one of those of `node:http` loads the
 * built-in fetch, which takes a tenth of the time in which a server starts.
 */
export const nodeHttp = process.getBuiltinModule('node:http');
