/**
 * Node.js's own module, without an `import`. That reads all that the module exports, and one of the exports is made
 * by loading a whole HTTP client: a tenth of the time in which a server starts.
 */
export const nodeHttp = process.getBuiltinModule('node:http');
