// A terminal whose clock has another zone than its unit is set to must not take the place of what comes later.
import { flowBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { expect, it } from 'vitest';
import { storedOf } from '../../test/egts.ts';
import { adoptJt808, at, createJt808World, flow } from '../../test/jt808.ts';
import { UNIT_KNOWN_MS } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';

const world = useWorld(createJt808World);

const HOURS_S = 8 * 3600;

it('records of a wrong zone wait, and those of the hours to come are stored once it is corrected', async () => {
  const { clock, deps } = world.server;
  // The terminal says the standard's UTC+8, and its unit is set to UTC.
  const bus = await world.freshBus({ clock_hours: 0 });
  const terminal = await world.signedIn(bus);
  const report = async (from: number, entered: number): Promise<void> => {
    const people = flowBody(flow(from, from + 60, entered, 0));
    for (const _ of [1, 2]) {
      expect(await terminal.ask(JT808.location, at(from + 60))).toBe(RESULT.ok);
      expect(await terminal.ask(JT808.passengerFlow, people)).toBe(RESULT.ok);
    }
  };
  await report(3000, 2);
  await report(3060, 2);
  expect(await storedOf(world, bus)).toMatchObject({ seconds: [], events: [] });
  await adoptJt808(deps.database.db, bus.unitId, bus.phone, { clock_hours: 8 });
  clock.advance(Math.max(HOURS_S * 1000, UNIT_KNOWN_MS));
  // As many people, and others.
  await report(HOURS_S + 3000, 2);
  await report(HOURS_S + 3060, 5);
  expect(await storedOf(world, bus)).toMatchObject({
    seconds: [HOURS_S + 3060, HOURS_S + 3120],
    events: [
      [HOURS_S + 3060, 1, 'entered', 2],
      [HOURS_S + 3120, 1, 'entered', 5],
    ],
    hours: { entered: 7, exited: 0 },
  });
});
