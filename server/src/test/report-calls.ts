/** A call: its address, and its body if it has one. */
type Call = string | { readonly url: string; readonly body: object };

const range = { from: '2026-11-20', to: '2026-11-20' };
const exportsOfBuses = [
  'passenger-traffic/export',
  'tariff-calc/export',
  'workplaces-report',
  'bus-load/export',
  'test-export',
];

/**
 * Exports and requests of reports about one bus, or one route.
 * @param idsOf the ids of the bus and the route
 */
export function callsOfReports<Whose>(
  idsOf: (whose: Whose) => readonly [busId: number, routeId: number],
): Record<string, (whose: Whose) => Call> {
  const query = (more: object): string => `${new URLSearchParams({ ...range, ...more })}`;
  const bodyOf = (whose: Whose) => ({
    parameters: { kind: 'test-export', ...range, workplaceIds: [idsOf(whose)[0]] },
  });
  const exported = exportsOfBuses.map((path): [string, (whose: Whose) => Call] => [
    `GET /api/stat/${path}`,
    (whose) => `/api/stat/${path}?${query({ workplaceIds: idsOf(whose)[0] })}`,
  ]);
  return {
    ...Object.fromEntries(exported),
    'GET /api/stat/advanced-report/export': (whose) =>
      `/api/stat/advanced-report/export?${query({ groupIds: idsOf(whose)[1] })}`,
    'POST /api/reports': (whose) => ({ url: '/api/reports', body: bodyOf(whose) }),
    'POST /api/reports/estimate': (whose) => ({
      url: '/api/reports/estimate',
      body: bodyOf(whose),
    }),
  };
}
