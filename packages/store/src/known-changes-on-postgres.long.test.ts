import { useServer } from './postgres/testing/use-server.ts';
import { runKnownChanges } from './testing/known-changes-suite.ts';

const fixture = useServer();

runKnownChanges(() => fixture.open({ maxDirectRecords: 0, connections: 20 }));
