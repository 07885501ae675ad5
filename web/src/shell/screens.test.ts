import type { Me } from '@ridewatch/contract/auth';
import { describe, expect, it } from 'vitest';
import { firstTab, openTabs, type Tab, type TabBus, tabAt } from '../bus-page/tabs.ts';
import { pagePaths, tabPaths } from './paths.ts';
import { screenAt, screenOf, screensOf, tabs } from './screens.tsx';

const camera = (live: boolean) => ({ live }) as TabBus['cameras'][number];
const busWith = (lives: readonly boolean[], gps_trackable: boolean): TabBus => ({
  cameras: lives.map(camera),
  gps_trackable,
});
const [count, service, gps] = tabs;
const nameOf = ({ path }: Tab) => path.split('/')[3] ?? 'count';
const namesFor = (bus: TabBus) => openTabs(tabs, bus).map(nameOf);

describe("the tabs of a bus's page", () => {
  it('always hold the count, the cabin where it has cameras, and GPS where the bus is tracked', () => {
    expect(namesFor(busWith([], false))).toEqual(['count']);
    expect(namesFor(busWith([false, true], false))).toEqual(['count', 'service']);
    expect(namesFor(busWith([false], true))).toEqual(['count', 'gps', 'route']);
    expect(namesFor(busWith([false, true], true))).toEqual(['count', 'service', 'gps', 'route']);
  });

  it('open with the cabin when all cameras look there, else with the count', () => {
    expect(firstTab(tabs, busWith([true], false))).toBe(service);
    expect(firstTab(tabs, busWith([true, false], false))).toBe(count);
    expect(firstTab(tabs, busWith([], false))).toBe(count);
  });

  it('stay the same from bus to bus where the other bus has that tab', () => {
    expect(tabAt(tabs, busWith([false], true), gps)).toBe(gps);
    expect(tabAt(tabs, busWith([false], true), service)).toBe(count);
    expect(tabAt(tabs, busWith([true], false), gps)).toBe(service);
  });
});

describe('the menus', () => {
  const user = { role: 'CUSTOMER', can_edit: false, client_id: 20 } as Me;
  const pathsFor = (who: Me) => screensOf('main', who).map(({ path }) => path);

  it('name the day and the bus list for everybody, and the review for those who may edit', () => {
    expect(pathsFor(user)).toEqual(['/', '/buses', '/stats', '/reports', '/news']);
    expect(pathsFor({ ...user, can_edit: true })).toEqual([
      '/',
      '/buses',
      '/review',
      '/stats',
      '/reports',
      '/news',
    ]);
    expect(screensOf('mobile', user).map(({ path }) => path)).toEqual([
      '/',
      '/buses',
      '/stats',
      '/news',
    ]);
  });

  it('name the questions once there are some', () => {
    const pathsWith = (has_faq: boolean) =>
      screensOf('main', user, { has_faq, unread: 0, news: { unread: 0 } }).map(({ path }) => path);
    // Last, so that it moves no other entry when it appears.
    expect(pathsWith(true)).toEqual([...pathsFor(user), '/faq']);
    expect(pathsWith(false)).not.toContain('/faq');
    expect(pathsFor(user)).not.toContain('/faq');
    const known = { has_faq: true, unread: 0, news: { unread: 0 } };
    const ofPhones = screensOf('mobile', user, known).map(({ path }) => path);
    expect(ofPhones.slice(-2)).toEqual(['/news', '/faq']);
  });

  it('name the advanced report for those to whom the server opens it, on desktops, and no test export', () => {
    const planner = { ...user, advanced_report: true };
    expect(pathsFor(planner)).toEqual([...pathsFor(user), '/demo-advanced-report']);
    expect(screensOf('mobile', planner)).toEqual(screensOf('mobile', user));
  });
});

describe('the table of screens', () => {
  it('leads back to the bus list from every tab of a bus', () => {
    for (const { path } of tabs) expect(screenAt(path)?.parent).toBe('/buses');
  });

  it('has a screen at each path', () => {
    for (const { path } of [...pagePaths, ...tabPaths]) expect(screenOf(path).path).toBe(path);
  });

  it('knows no screen at other paths', () => {
    expect(screenAt('/nowhere')).toBeUndefined();
    expect(screenAt(undefined)).toBeUndefined();
  });

  it('names the day in the address with whatever is chosen within a day', () => {
    const ofDay = tabs.flatMap(({ address }) =>
      Object.entries(address).flatMap(([key, kind]) => (kind === 'ofDay' ? [key] : [])),
    );
    expect([...new Set(ofDay)].sort()).toEqual(['fragment', 'lap', 'pin', 'span', 'stop', 't']);
  });
});
