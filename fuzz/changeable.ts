// Objects that requests may change in every way.
import { ask } from '../harness/product.ts';

interface Row {
  readonly id: number;
}
interface Rows {
  readonly items: readonly Row[];
}

/**
 * Creates a customer, a user with a link for a new password, API keys, a unit and a route that requests may block,
 * disable, cut off and delete: the askers of the world go on.
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
  const jobs = await ask<Rows>(url, token, 'GET', '/api/admin/jobs?perPage=50');
  const log = await ask<Rows>(url, token, 'GET', '/api/admin/audit?perPage=20');
  const idsOf = ({ items }: Rows) => items.map(({ id }) => id);
  return [
    ['id', [customer.id, route.id]],
    ['userId', [user.id]],
    ['unitId', [unit.id]],
    ['keyId', keys.map(({ key }) => key.id)],
    ['token', [link.path.split('#')[1] ?? '']],
    ['jobId', idsOf(jobs)],
    ['auditId', idsOf(log)],
    ['config', ['{}', '{"chart":true}']],
  ];
}
