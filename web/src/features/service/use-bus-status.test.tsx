import type { RangeRequest } from '@ridewatch/contract/buses';
import { expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { at, busStatus } from '../../test/made.ts';
import { intervalOf, presentOf } from './use-bus-status.ts';

const asked: RangeRequest = {
  ...{ id: 31, camera_ids: [9], start_time: at('08:00'), end_time: at('08:30') },
  ...{ asked_at: at('14:59'), state: 'accepted', reason: null, detail: null },
  ...{ total: 4, here: 1, percent: 25, waits_for: null, failed_try: null },
};
const waiting = (waits_for: RangeRequest['waits_for']): RangeRequest => ({ ...asked, waits_for });

it('the state of a bus is read each second while its unit sends, and seldom while that waits', () => {
  const of = (...requests: RangeRequest[]) => intervalOf(busStatus({ requests }));
  expect(of(asked)).toBe(1_000);
  expect(of(waiting('unit'))).toBe(1_000);
  expect(of(waiting('depot'), asked)).toBe(1_000);
  for (const what of ['depot', 'link', 'gone_unit'] as const)
    expect(of(waiting(what))).toBe(10_000);
  expect(of({ ...asked, state: 'done' })).toBe(10_000);
  expect(intervalOf(undefined)).toBe(10_000);
});

it('the present is that of the server where the clock of the browser is behind', () => {
  const nowMs = Date.parse(NOW);
  const heard = (ms: number) => busStatus({ last_seen_at: new Date(nowMs + ms).toISOString() });
  expect(presentOf(heard(60_000), nowMs)).toBe(nowMs + 60_000);
  expect(presentOf(heard(-60_000), nowMs)).toBe(nowMs);
  expect(presentOf(busStatus({ last_seen_at: null }), nowMs)).toBe(nowMs);
  expect(presentOf(undefined, nowMs)).toBe(nowMs);
});
