// Causes for administrators: one of the server itself belongs to no bus and leads to the section of the administration that
// helps, one of a unit leads to its form.
import { listBuses } from '@ridewatch/contract/buses';
import { findHome } from '@ridewatch/contract/home';
import { findNotifications, readNotifications } from '@ridewatch/contract/notifications';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, bus, busList } from '../test/made.ts';
import { group, home } from '../test/made-home.ts';
import { cause, notifications } from '../test/made-notifications.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([bus(1)]));
  server.answer(readNotifications, undefined as never);
});

const disk = cause(1, {
  details: { kind: 'disk_full', percent: 96, machine: null },
  workplace: null,
});
const farDisk = cause(3, {
  details: { kind: 'disk_full', percent: 96, machine: 'video-2' },
  workplace: null,
});
const queue = cause(2, {
  details: { kind: 'queue_starved', class: 'merges', waiting: 1200, minutes: 95 },
  workplace: null,
});
const late = cause(5, {
  details: { kind: 'upstream_late', name: 'Регион', upstream_id: 4 },
  workplace: null,
});
const unknown = cause(6, {
  details: { kind: 'upstream_refuses', name: 'Регион', upstream_id: 4, code: 153, number: 3 },
  workplace: null,
});
const refused = cause(7, {
  details: { kind: 'upstream_refuses', name: 'Регион', code: 154, number: 58 },
  workplace: null,
});
const titles: Readonly<Record<string, string>> = {
  disk_full: "The server's disk",
  queue_starved: 'Background work',
  upstream_late: 'Records wait',
  upstream_refuses: '(Buses not known there|Records refused)',
};

describe.each([
  [
    'a full disk',
    disk,
    ...['/admin/storage', /^The server's disk.*96 % full$/, /^Диск сервера.*заполнен на 96 %$/],
  ],
  [
    'a full disk of one machine of several',
    farDisk,
    ...['/admin/storage', /^The server's disk.*video-2: 96 % full$/],
    /^Диск сервера.*video-2: заполнен на 96 %$/,
  ],
  [
    'work that waits',
    queue,
    '/admin/jobs',
    /^Background work.*merging of video: waits for 1 h 35 min, jobs: 1\s200$/,
    /^Фоновая работа.*склейка видео — ждёт 1 ч 35 мин, заданий: 1\s200$/,
  ],
  [
    'records that wait for another system',
    late,
    ...['/admin/upstreams/4', /^Records wait 14:00 · Регион.*the oldest for 1 h$/],
    /^Записи ждут передачи 14:00 · Регион.*самая старая — 1 ч$/,
  ],
  [
    'buses that another system does not know',
    unknown,
    '/admin/upstreams/4',
    /^Buses not known there 14:00 · Регион.*3 buses, records wait$/,
    /^Автобусы не заведены 14:00 · Регион.*3 автобуса, записи ждут$/,
  ],
  [
    'records that another system refuses for good',
    refused,
    '/admin/upstreams',
    /^Records refused 14:00 · Регион.*154 · wrong time, 58 in all$/,
    /^Записи не приняты 14:00 · Регион.*154 · неверное время, всего 58$/,
  ],
] as const)('%s', (_, one, way, inEnglish, inRussian) => {
  it.each([
    ['en_US', inEnglish],
    ['ru_RU', inRussian],
  ] as const)('is said in the panel in %s, and leads to its section', async (language, said) => {
    server.answer(findNotifications, notifications({ causes: [one] }));
    const { hand } = await openScreen(server, '/buses', { user: admin, language });
    await hand.click(await screen.findByRole('button', { name: /^(Notifications|Уведомления)/ }));
    const panel = within(await screen.findByRole('dialog'));
    const row = await panel.findByRole('listitem');
    expect(row).toHaveTextContent(said);
    expect(within(row).getByRole('link')).toHaveAttribute('href', way);
    // Its own sign, and the one that it leads on.
    expect(row.querySelectorAll('svg')).toHaveLength(2);
  });

  it('is said on the home page, and a press opens its section', async () => {
    const attention = { faulty: group([one]), money: group(), line: group() };
    server.answer(findHome, home({ attention }));
    const { hand, address } = await openScreen(server, '/', { user: admin });
    await hand.click(
      await screen.findByRole('link', { name: new RegExp(titles[one.details.kind] ?? '') }),
    );
    expect(new URL(address()).pathname).toBe(way);
  });
});

describe('an unknown unit that knocks', () => {
  it('of whose id only the beginning is told is no sentence with two ends', async () => {
    const details = { kind: 'unknown_unit', protocol: 'osmand', name: '9876…', count: 1 } as const;
    server.answer(
      findNotifications,
      notifications({ causes: [cause(4, { details, workplace: null })] }),
    );
    const { hand } = await openScreen(server, '/buses', { user: admin, language: 'ru_RU' });
    await hand.click(await screen.findByRole('button', { name: /^Уведомления/ }));
    const row = await within(await screen.findByRole('dialog')).findByRole('listitem');
    expect(row).toHaveTextContent('передают: 1, первый — OsmAnd 9876… Примите свои');
  });

  it.each([
    ['en_US', 'egts', 'EGTS 4021', /^Unknown units/],
    ['ru_RU', 'jt808', 'JT/T 808 4021', /^Неизвестные приборы/],
    ['ru_RU', 'osmand', 'OsmAnd 4021', /^Неизвестные приборы/],
  ] as const)('is named in %s with its protocol %s: %s', async (language, protocol, name, said) => {
    const details = { kind: 'unknown_unit', protocol, name: '4021', count: 2 } as const;
    const one = cause(4, { details, workplace: null });
    server.answer(findNotifications, notifications({ causes: [one] }));
    const { hand } = await openScreen(server, '/buses', { user: admin, language });
    await hand.click(await screen.findByRole('button', { name: /^(Notifications|Уведомления)/ }));
    const row = await within(await screen.findByRole('dialog')).findByRole('listitem');
    expect(row).toHaveTextContent(said);
    expect(row).toHaveTextContent(name);
    expect(within(row).getByRole('link')).toHaveAttribute('href', '/admin/unknown_units');
  });
});

describe('a counter that does not count as its unit is set', () => {
  it.each([
    ['ru_RU', 'cumulative', /передаёт общий счёт, который только растёт/],
    ['ru_RU', 'delta', /передаёт, сколько прошло с прошлого раза/],
    ['en_US', 'cumulative', /seems to send a running total/],
    ['en_US', 'delta', /seems to send who passed since the last time/],
  ] as const)(
    'is said in %s of %s, and leads to the form of the unit',
    async (language, looks, said) => {
      const details = { kind: 'odd_counter', unit_id: 7, looks } as const;
      server.answer(findNotifications, notifications({ causes: [cause(1, { details })] }));
      const { hand } = await openScreen(server, '/buses', { user: admin, language });
      await hand.click(await screen.findByRole('button', { name: /^(Notifications|Уведомления)/ }));
      const panel = within(await screen.findByRole('dialog'));
      const row = await panel.findByRole('listitem');
      expect(row).toHaveTextContent(said);
      expect(within(row).getByRole('link')).toHaveAttribute('href', '/admin/units/7');
    },
  );
});
