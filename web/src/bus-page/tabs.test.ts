import { describe, expect, it } from 'vitest';
import { openTabs, tabAt, tabs } from './tabs.ts';

type TestBus = Parameters<typeof openTabs>[0];

const camera = (live: boolean) => ({ live }) as TestBus['cameras'][number];
const busWith = (lives: readonly boolean[], gps_trackable: boolean): TestBus => ({
  cameras: lives.map(camera),
  gps_trackable,
});
const built = tabs.map((tab) => ({ ...tab, isBuilt: true }));
const namesOf = (bus: TestBus) =>
  openTabs(bus, built).map((tab) => tab.to.split('/')[3] ?? 'count');

describe("the tabs of a bus's page", () => {
  it('always hold the count, the cabin where it has cameras, and GPS where the bus is tracked', () => {
    expect(namesOf(busWith([], false))).toEqual(['count']);
    expect(namesOf(busWith([false, true], false))).toEqual(['count', 'service']);
    expect(namesOf(busWith([false], true))).toEqual(['count', 'gps', 'route']);
    expect(namesOf(busWith([false, true], true))).toEqual(['count', 'service', 'gps', 'route']);
  });

  it('leave out what is not built', () => {
    const unbuilt = built.map((tab) => ({ ...tab, isBuilt: tab.to === '/bus/$busId' }));
    expect(openTabs(busWith([true], true), unbuilt)).toHaveLength(1);
  });

  it('open with the cabin when all cameras look there, else with the count', () => {
    const gone = '/bus/$busId/gps';
    expect(tabAt(busWith([true], false), gone, built)).toBe('/bus/$busId/service');
    expect(tabAt(busWith([true, false], false), gone, built)).toBe('/bus/$busId');
    expect(tabAt(busWith([], false), gone, built)).toBe('/bus/$busId');
  });

  it('stay the same from bus to bus where the other bus has that tab', () => {
    expect(tabAt(busWith([false], true), '/bus/$busId/gps', built)).toBe('/bus/$busId/gps');
    expect(tabAt(busWith([false], true), '/bus/$busId/service', built)).toBe('/bus/$busId');
  });
});
