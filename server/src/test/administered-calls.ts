/** Ids of one customer and of what belongs to it. */
export interface AdministeredIds {
  readonly client: number;
  readonly user: number;
  readonly bus: number;
  readonly unit: number;
  readonly camera: number;
  readonly route: number;
  readonly place: number;
}

/** A call: its address, and its body if it has one. */
type Call = string | { readonly url: string; readonly body: object };

/**
 * The calls of those who administer objects of customers.
 * @param idsOf the ids that a call names
 */
export function callsOfAdministration<Whose>(
  idsOf: (whose: Whose) => AdministeredIds,
): Record<string, (whose: Whose) => Call> {
  const lists = ['users', 'buses', 'units', 'cameras', 'groups', 'classifiers', 'days'].map(
    (list): [string, (whose: Whose) => Call] => [
      `GET /api/admin/${list}`,
      (whose) => `/api/admin/${list}?clientId=${idsOf(whose).client}`,
    ],
  );
  const one = (path: string, id: keyof AdministeredIds) => (whose: Whose) =>
    `/api/admin/${path}/${idsOf(whose)[id]}`;
  const change = (path: string, id: keyof AdministeredIds, fields: object) => (whose: Whose) => ({
    url: `/api/admin/${path}/${idsOf(whose)[id]}`,
    body: fields,
  });
  return {
    ...Object.fromEntries(lists),
    'GET /api/admin/users/{userId}': one('users', 'user'),
    'POST /api/admin/users': (whose) => ({
      url: '/api/admin/users',
      body: {
        ...{ login: `new ${idsOf(whose).client}`, password: 'a long password' },
        ...{ role: 'OPERATOR', client_id: idsOf(whose).client },
      },
    }),
    'PUT /api/admin/users/{userId}': change('users', 'user', { can_edit: false }),
    'DELETE /api/admin/users/{userId}/openid': (whose) =>
      `/api/admin/users/${idsOf(whose).user}/openid`,
    'POST /api/admin/users/{userId}/password-link': (whose) => ({
      url: `/api/admin/users/${idsOf(whose).user}/password-link`,
      body: {},
    }),
    'DELETE /api/admin/users/{userId}/second-factor': (whose) =>
      `/api/admin/users/${idsOf(whose).user}/second-factor`,
    'GET /api/admin/buses/{busId}': one('buses', 'bus'),
    'POST /api/admin/buses': (whose) => ({
      url: '/api/admin/buses',
      body: { name: 'Новый', client_ids: [idsOf(whose).client], timezone: 'Europe/Moscow' },
    }),
    'PUT /api/admin/buses/{busId}': change('buses', 'bus', { description: 'с подъёмником' }),
    'PUT /api/admin/buses/{busId}/settings': (whose) => ({
      url: `/api/admin/buses/${idsOf(whose).bus}/settings`,
      body: { valid_from: '2026-11-20', timezone: 'Asia/Omsk' },
    }),
    'GET /api/admin/buses/{busId}/happenings': (whose) =>
      `/api/admin/buses/${idsOf(whose).bus}/happenings`,
    'POST /api/admin/buses/several': (whose) => ({
      url: '/api/admin/buses/several',
      body: { ids: [idsOf(whose).bus], change: { retired: false } },
    }),
    'POST /api/admin/users/several': (whose) => ({
      url: '/api/admin/users/several',
      body: { ids: [idsOf(whose).user], change: { enabled: true } },
    }),
    'POST /api/admin/units/several': (whose) => ({
      url: '/api/admin/units/several',
      body: { ids: [idsOf(whose).unit], change: { enabled: true } },
    }),
    'POST /api/admin/cameras/several': (whose) => ({
      url: '/api/admin/cameras/several',
      body: { ids: [idsOf(whose).camera], change: { enabled: true } },
    }),
    'POST /api/admin/days/retry': (whose) => ({
      url: '/api/admin/days/retry',
      body: { workplaceId: idsOf(whose).bus, date: '2026-11-20' },
    }),
    'GET /api/admin/units/{unitId}': one('units', 'unit'),
    'GET /api/admin/units/{unitId}/arrivals': (whose) =>
      `/api/admin/units/${idsOf(whose).unit}/arrivals`,
    'POST /api/admin/units': (whose) => ({
      url: '/api/admin/units',
      body: { device_id: `new-${idsOf(whose).bus}`, bus_id: idsOf(whose).bus },
    }),
    'PUT /api/admin/units/{unitId}': change('units', 'unit', { enabled: true }),
    'POST /api/admin/units/{unitId}/credential': (whose) => ({
      url: `/api/admin/units/${idsOf(whose).unit}/credential`,
      body: {},
    }),
    'DELETE /api/admin/units/{unitId}/credential': (whose) =>
      `/api/admin/units/${idsOf(whose).unit}/credential`,
    'GET /api/admin/units/{unitId}/feed': (whose) => `/api/admin/units/${idsOf(whose).unit}/feed`,
    'POST /api/admin/units/{unitId}/feed': (whose) => ({
      url: `/api/admin/units/${idsOf(whose).unit}/feed`,
      body: {},
    }),
    'GET /api/admin/units/{unitId}/aside': (whose) => `/api/admin/units/${idsOf(whose).unit}/aside`,
    'POST /api/admin/units/{unitId}/aside/place': (whose) => ({
      url: `/api/admin/units/${idsOf(whose).unit}/aside/place`,
      body: { groupId: 1, firstTime: '2026-11-20T05:00:00Z' },
    }),
    'POST /api/admin/units/{unitId}/aside/discard': (whose) => ({
      url: `/api/admin/units/${idsOf(whose).unit}/aside/discard`,
      body: { groupId: 1 },
    }),
    'PUT /api/admin/units/{unitId}/test': (whose) => ({
      url: `/api/admin/units/${idsOf(whose).unit}/test`,
      body: { test: false },
    }),
    'GET /api/admin/cameras/{cameraId}': one('cameras', 'camera'),
    'POST /api/admin/cameras': (whose) => ({
      url: '/api/admin/cameras',
      body: { bus_id: idsOf(whose).bus, name: 'Дверь 3', stream_id: 'door3', door: 3 },
    }),
    'PUT /api/admin/cameras/{cameraId}': change('cameras', 'camera', { name: 'Передняя дверь' }),
    'GET /api/admin/groups/{id}': one('groups', 'route'),
    'POST /api/admin/groups': (whose) => ({
      url: '/api/admin/groups',
      body: { client_id: idsOf(whose).client, name: 'Новый' },
    }),
    'GET /api/admin/classifiers/{classifierId}': one('classifiers', 'place'),
    'PUT /api/admin/classifiers/{classifierId}': change('classifiers', 'place', { name: 'Двор' }),
    'POST /api/admin/classifiers/{classifierId}/merge': (whose) => ({
      url: `/api/admin/classifiers/${idsOf(whose).place}/merge`,
      body: { into: idsOf(whose).place },
    }),
    'DELETE /api/admin/groups/{id}': (whose) => `/api/admin/groups/${idsOf(whose).route}`,
  };
}

/** The names of these calls, which administered.test.ts tries. */
export const administeredCalls: readonly string[] = Object.keys(
  callsOfAdministration(() => {
    throw new Error('Only the names are asked for.');
  }),
);
