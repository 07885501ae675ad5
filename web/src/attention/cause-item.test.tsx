// Notices of something that runs out say what to do, and lead those who may do it to the place.
import { listBuses } from '@ridewatch/contract/buses';
import { findNotifications, readNotifications } from '@ridewatch/contract/notifications';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, bus, busList, owner } from '../test/made.ts';
import { cause, notifications } from '../test/made-notifications.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList([bus(1)]));
  server.answer(readNotifications, undefined as never);
});

const names = { disk: null, certificate: 'buses.example', api_key: 'Табло' } as const;
type What = keyof typeof names;

/** Opens the panel with a notice of what runs out. @returns its row */
async function openNotice(
  what: What,
  days: number,
  opening: Parameters<typeof openScreen>[2],
  name: string | null = names[what],
) {
  const details = { kind: 'runs_out', what, name, days } as const;
  server.answer(
    findNotifications,
    notifications({ causes: [cause(1, { details, workplace: null })] }),
  );
  const { hand } = await openScreen(server, '/buses', opening);
  await hand.click(await screen.findByRole('button', { name: /^(Notifications|Уведомления)/ }));
  const panel = within(await screen.findByRole('dialog'));
  return panel.findByRole('listitem');
}

const wayOf = (row: HTMLElement) => within(row).queryByRole('link')?.getAttribute('href') ?? null;

describe('a notice of what runs out', () => {
  it.each([
    ['disk', 6, /in 6 days\. Shorten the retention or add a larger disk$/, '/admin/storage'],
    ['disk', 0, /today\. Shorten the retention/, '/admin/storage'],
    [
      'certificate',
      13,
      /buses\.example: in 13 days\. Renew the certificate of the proxy that serves PUBLIC_URL$/,
      null,
    ],
    ['certificate', -1, /has ended\. Renew/, null],
    ['api_key', 1, /“Табло”: in 1 day\. Its program needs a new key$/, '/admin/keys'],
  ] as const)('of %s with %i days left says %s and leads to %s', async (what, days, said, way) => {
    const row = await openNotice(what, days, { user: admin });
    expect(row).toHaveTextContent(said);
    expect(wayOf(row)).toBe(way);
  });

  it.each([
    ['disk', /через 6 дней\. Сократите срок хранения или поставьте диск больше$/],
    ['certificate', /через 6 дней\. Обновите сертификат прокси, который отвечает по PUBLIC_URL$/],
    ['api_key', /«Табло» — через 6 дней\. Его программе нужен новый$/],
  ] as const)('of %s says it in Russian: %s', async (what, said) => {
    expect(await openNotice(what, 6, { user: admin, language: 'ru_RU' })).toHaveTextContent(said);
  });

  it.each([
    ['en_US', /room on the disk of video-2: in 6 days\. Shorten/],
    ['ru_RU', /место на диске video-2 — через 6 дней\. Сократите/],
  ] as const)('of the disk of one machine of several names it in %s', async (language, said) => {
    const row = await openNotice('disk', 6, { user: admin, language }, 'video-2');
    expect(row).toHaveTextContent(said);
  });

  it.each([
    ['an integrator', { ...owner, role: 'INTEGRATOR' as const }, '/admin/keys'],
    ['a user of the customer who may make keys', owner, '/account'],
    ['a user who may only look', { ...owner, can_edit: false }, null],
  ])('of an API key leads %s to %s', async (_, user, way) => {
    expect(wayOf(await openNotice('api_key', 6, { user }))).toBe(way);
  });
});
