// Objects that requests may change in every way.
import { ask, waitFor } from '../harness/product.ts';

interface Row {
  readonly id: number;
}
interface Rows {
  readonly items: readonly Row[];
}

/**
 * Creates a customer, a user with a link for a new password, API keys, a unit, a route, news, messages and systems to
 * which records are passed on, and lets unknown units send. Requests may block, disable, cut off and delete all of these: the askers of the
 * world go on.
 * @returns ids and values by the names of the fields that take them
 */
export async function makeChangeable(
  url: string,
  token: string,
): Promise<[name: string, ids: readonly (string | number)[]][]> {
  const post = <T>(path: string, body: object) => ask<T>(url, token, 'POST', path, body);
  const customer = await post<Row>('/api/admin/customers', { name: 'Сменный' });
  const password = 'a long password';
  const user = await post<Row>('/api/admin/users', {
    ...{ login: 'changeable', password, role: 'OPERATOR', client_id: customer.id },
  });
  const keys = await Promise.all(
    ['Первый', 'Второй', 'Третий'].map((name) =>
      post<{ key: Row }>('/api/keys', { client_id: customer.id, name, scopes: ['buses'] }),
    ),
  );
  const link = await post<{ path: string }>(`/api/admin/users/${user.id}/password-link`, {});
  const { unit } = await post<{ unit: Row }>('/api/admin/units', {
    ...{ device_id: 'changeable', client_id: customer.id },
  });
  const route = await post<Row>('/api/admin/groups', { client_id: customer.id, name: 'Сменный' });
  const three = (path: string, bodyOf: (name: string) => object): Promise<Row[]> =>
    Promise.all(['Первый', 'Второй', 'Третий'].map((name) => post<Row>(path, bodyOf(name))));
  const upstreams = await three('/api/admin/upstreams', (name) => ({
    // Nothing listens at this port.
    ...{ name, host: '127.0.0.1', port: 9, client_ids: [customer.id] },
  }));
  const until = { date_from: '2000-01-01', date_to: '2099-12-31' };
  const news = await three('/api/admin/news', (title) => ({ title, text: '!', active: true }));
  const messages = await three('/api/admin/messages', (title) => ({ title, text: '!', ...until }));
  const unknown = await knock(url, token);
  const jobs = await ask<Rows>(url, token, 'GET', '/api/admin/jobs?perPage=50');
  const log = await ask<Rows>(url, token, 'GET', '/api/admin/audit?perPage=20');
  const idsOf = ({ items }: Rows) => items.map(({ id }) => id);
  return [
    ['id', [customer.id, route.id]],
    ['userId', [user.id]],
    ['unitId', [unit.id]],
    ['keyId', keys.map(({ key }) => key.id)],
    ['token', [link.path.split('#')[1] ?? '']],
    ['upstreamId', upstreams.map(({ id }) => id)],
    ['unknownId', unknown],
    ['newsId', news.map(({ id }) => id)],
    ['messageId', messages.map(({ id }) => id)],
    ['jobId', idsOf(jobs)],
    ['auditId', idsOf(log)],
    ['config', ['{}', '{"chart":true}']],
  ];
}

// Phones that no unit has. @returns their ids, once they are noted
async function knock(url: string, token: string): Promise<number[]> {
  const names = ['phone-1', 'phone-2', 'phone-3', 'phone-4'];
  const second = Math.floor(Date.now() / 1000);
  for (const name of names) {
    const place = `lat=55.75&lon=37.62&timestamp=${second}`;
    const answer = await fetch(`${url}/unit/osmand?id=${name}&${place}`);
    if (answer.status !== 400) throw new Error(`an unknown phone got ${answer.status}`);
  }
  let ids: number[] = [];
  await waitFor(async () => {
    const { items } = await ask<Rows>(url, token, 'GET', '/api/admin/unknown-units');
    ids = items.map(({ id }) => id);
    return ids.length === names.length;
  }, 'the unknown units');
  return ids;
}
