import { apiFeatures, ingestFeatures } from '../features.ts';
import { insertTestFleet, type TestFleet } from './fleet.ts';
import { createTestServer, type TestServer } from './test-deps.ts';

/** Creates a server with all features, and a fleet in Moscow. @param nowMs the server's present, ms since 1970 UTC */
export async function createWholeServer(
  nowMs: number,
): Promise<{ readonly server: TestServer; readonly fleet: TestFleet }> {
  const server = await createTestServer([...ingestFeatures, ...apiFeatures]);
  server.clock.set(nowMs);
  return { server, fleet: await insertTestFleet(server.deps.database.db, 'Europe/Moscow') };
}
