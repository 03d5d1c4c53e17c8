/** Not imported: an import reads every export, and one of them loads `fetch`, a tenth of the time to start. */
export const nodeHttp = process.getBuiltinModule('node:http');
