import { join } from 'node:path';
import { generateResources } from '../dataset/generate-resources.ts';
import { buildBaseline } from './build-baseline.ts';
import { openDatabase } from './open-database.ts';

/** Child process: `baseline-server.ts <directory> <size>`. Fills its database, listens, reports its port. */
const [directory = '.', size = '0'] = process.argv.slice(2);

process.once('disconnect', () => process.exit());

const app = buildBaseline(openDatabase(join(directory, 'baseline.db'), generateResources(Number(size))));
const origin = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ origin });
