// Asks about tables that are loaded.
import type { ImportCell } from '@ridewatch/contract/admin-import';
import { addAdministration } from '../administration/api.ts';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from './fleet.ts';
import { createTestServer, type TestServer } from './test-deps.ts';

/** A table of a request. */
export interface AskedTable {
  readonly kind: string;
  readonly columns: readonly (string | null)[];
  readonly rows: readonly (readonly ImportCell[])[];
}

/** A server with a fleet that loads tables, and the access tokens of its users by login. */
export interface TableServer {
  readonly server: TestServer;
  readonly fleet: TestFleet;
  readonly tokens: Record<string, string>;
  readonly calls: ReturnType<typeof callTables>;
}

/** Creates a server of the administration, and signs users in. */
export async function createTableServer(...logins: readonly string[]): Promise<TableServer> {
  const server = await createTestServer([addAuth, addAdministration]);
  const fleet = await insertTestFleet(server.deps.database.db);
  const tokens: Record<string, string> = {};
  for (const login of logins) tokens[login] = await server.signIn(login);
  return { server, fleet, tokens, calls: callTables(server, tokens) };
}

/** The calls about tables, as users of some logins. @param tokens by login */
export function callTables(server: TestServer, tokens: Readonly<Record<string, string>>) {
  const post = async (path: string, asked: object, login = 'admin') => {
    const answer = await server.app.inject({
      method: 'POST',
      url: `/api/admin/import${path}`,
      headers: { authorization: `Bearer ${tokens[login]}` },
      payload: { heading: 1, ...asked },
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const check = async (asked: AskedTable, login?: string) =>
    (await post('/check', asked, login)).body;
  return {
    post,
    check,
    load: async (asked: AskedTable, login?: string) =>
      (await post('', { file: 'парк.xlsx', ...asked }, login)).body,
    /** The faults of a table as `cell reason`. */
    faultsOf: async (asked: AskedTable, login?: string): Promise<string[]> =>
      (await check(asked, login)).faults.map(
        ({ cell, reason }: { cell: string; reason: string }) => `${cell} ${reason}`,
      ),
    /** The file of a kind. */
    save: async (kind: string, query: string, login = 'admin') => {
      const answer = await server.app.inject({
        method: 'GET',
        url: `/api/admin/export/${kind}?${query}`,
        headers: { authorization: `Bearer ${tokens[login]}` },
      });
      return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
    },
  };
}
