// The three roles as three processes: each serves liveness, readiness and metrics on its own port.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseUrl, type Product, startProduct } from '../harness/product.ts';

const products = new Map<string, Product>();

beforeAll(async () => {
  const ingest = await startProduct({ args: ['--roles=ingest'] });
  products.set('ingest', ingest);
  const env = { DATABASE_URL: await databaseUrl(ingest) };
  for (const role of ['worker', 'api']) {
    products.set(role, await startProduct({ args: [`--roles=${role}`], env }));
  }
});
afterAll(async () => {
  // The others use the first one's database.
  for (const product of [...products.values()].reverse()) await product.remove();
});

const ask = (role: string, address: string): Promise<Response> =>
  fetch(`${products.get(role)?.url}${address}`);

describe.each(['ingest', 'worker', 'api'])('a process with the role %s alone', (role) => {
  it('lives and is ready', async () => {
    for (const address of ['/healthz', '/readyz']) {
      const answer = await ask(role, address);
      expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
    }
  });

  it('tells its figures', async () => {
    const answer = await ask(role, '/metrics');
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(await answer.text()).toMatch(
      /^ridewatch_http_request_seconds_count\{.*path="\/readyz"/m,
    );
  });

  it('serves its own calls, not those of others', async () => {
    const statuses = [await ask(role, '/unit/v1/me'), await ask(role, '/api/auth/me')];
    expect(statuses.map(({ status }) => status)).toEqual([
      role === 'ingest' ? 401 : 404,
      role === 'api' ? 401 : 404,
    ]);
  });
});
