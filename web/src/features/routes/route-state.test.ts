import { describe, expect, it } from 'vitest';
import { readRouteDay } from './route-state.ts';

const TODAY = '2026-11-21';
const PAST = '2026-11-15';

describe('the route that is shown', () => {
  it("is today's on today's page, and can be changed from today on", () => {
    expect(readRouteDay(undefined, TODAY, TODAY)).toMatchObject({ day: TODAY, isOpen: true });
  });

  it("is the past day's on its page, and is only looked at", () => {
    expect(readRouteDay(undefined, PAST, TODAY)).toMatchObject({ day: PAST, isOpen: false });
  });

  it('is that of the day from which changes are to hold, past or to come', () => {
    expect(readRouteDay(PAST, PAST, TODAY)).toMatchObject({ day: PAST, isOpen: true });
    expect(readRouteDay('2026-12-01', TODAY, TODAY)).toMatchObject({
      day: '2026-12-01',
      isOpen: true,
    });
  });

  it('is not that of a day that is none', () => {
    expect(readRouteDay('tomorrow', TODAY, TODAY).day).toBe(TODAY);
  });

  it('has its day in the address unless it goes without saying', () => {
    const { fromFor } = readRouteDay(undefined, TODAY, TODAY);
    expect([fromFor(undefined), fromFor(TODAY), fromFor(PAST)]).toEqual([
      undefined,
      undefined,
      PAST,
    ]);
    expect(readRouteDay(undefined, PAST, TODAY).fromFor(undefined)).toBe(TODAY);
  });
});
