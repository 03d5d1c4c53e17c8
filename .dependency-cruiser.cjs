// Imports go downward only: contract <- engine <- store <- server, and every package is
// entered through its index.ts.
const packageOrder = ['contract', 'engine', 'store', 'server'];

const upward = packageOrder.slice(0, -1).map((name, position) => ({
  name: `${name}-imports-downward-only`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  to: { path: `^packages/(${packageOrder.slice(position + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'packages-are-entered-through-their-index',
      severity: 'error',
      from: { path: '^(packages/[^/]+|bench|e2e)/' },
      to: { path: '^packages/[^/]+/src/', pathNot: ['^packages/[^/]+/src/index\\.ts$', '^$1/'] },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-tests-in-production-code',
      severity: 'error',
      from: { pathNot: '\\.test\\.ts$' },
      to: { path: '\\.test\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
