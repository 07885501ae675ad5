import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { describe, expect, it } from 'vitest';
import { callsOf, findCalls } from './calls.ts';
import { things } from './terms.ts';

const operation = { security: [{ user: [] }], parameters: [], responses: {} };
const paths: Record<string, Record<string, typeof operation & { summary: string }>> = {};
for (const { path, method, summary } of endpoints as readonly Endpoint[]) {
  paths[path] = { ...paths[path], [method.toLowerCase()]: { ...operation, summary } };
}
const calls = callsOf({ paths, components: { schemas: {} } });
const found = (query: string) =>
  findCalls(calls, query).map(({ method, path }) => `${method} ${path}`);

describe('the search of the calls', () => {
  it('finds a call by Russian words in any form', () => {
    expect(found('круги')).toContain('GET /api/bus-stop/day-laps');
    expect(found('рейсов')).toEqual(found('круги'));
    expect(found('удалить остановку')).toContain('DELETE /api/groups/stop/{stopId}');
    expect(found('отчёт')).toEqual(found('отчет'));
    expect(found('Ключи API')).toContain('GET /api/keys');
    expect(found('сменить пароль')).toContain('PUT /api/auth/password');
    expect(found('цены маршрута')).toContain('PUT /api/route-cost');
  });

  it('finds Russian and English words together, and a path as before', () => {
    expect(found('GET круги')).toContain('GET /api/bus-stop/laps');
    expect(found('GET круги').filter((one) => !one.startsWith('GET'))).toEqual([]);
    expect(found('/bus-stop/laps')).toEqual(['GET /api/bus-stop/laps']);
    expect(found('')).toHaveLength(calls.length);
    expect(found('велосипед')).toEqual([]);
  });

  it('takes a word for itself before others that look like a form of it', () => {
    expect(found('смена')).toContain('POST /api/workplaces/shift');
    expect(found('смена').length).toBeLessThan(5);
  });

  it('knows no thing that no call is about', () => {
    const words = things.flatMap(([russian]) => russian.split(' '));
    expect(words.filter((word) => found(word).length === 0)).toEqual([]);
  });

  it('finds each call by the Russian name of a thing', () => {
    const all = new Set(things.flatMap(([russian]) => found(russian.split(' ')[0] ?? '')));
    const lost = calls.filter(({ method, path }) => !all.has(`${method} ${path}`));
    expect(lost.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
