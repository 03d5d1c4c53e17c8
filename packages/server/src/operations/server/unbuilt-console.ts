/** What people see where the console has not been built. */
export const unbuiltConsole = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Roster</title>
<h1>The console is not built</h1>
<p>The interface works: see <a href="/docs">the reference</a>.</p>
<p>To build the console, run <code>npm run build -w packages/console</code> and load this page again.</p>
</html>
`;
