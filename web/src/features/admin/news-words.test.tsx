// The state of news, questions and banners agrees in gender with what it is said of.
import {
  type AdminMessage,
  type AdminNews,
  listAdminMessages,
  listAdminNews,
} from '@ridewatch/contract/admin-news';
import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { NOW, TODAY } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

const [BEFORE, AFTER] = ['2026-03-01', '2026-03-20'] as const;
const common = {
  id: 6,
  title: 'Ремонт',
  text: 'Ночью.',
  active: true,
  media: null,
  created_at: NOW,
};
const news = (more: Partial<AdminNews>): AdminNews => ({
  ...{ ...common, type: 'NEWS', date_from: TODAY, readers: 0, ...more },
});
const banner = (more: Partial<AdminMessage>): AdminMessage => ({
  ...{ ...common, date_from: null, date_to: null, ...more },
});

async function openRussian(section: AdminSection) {
  server.answer(findAdminOverview, {
    ...{ sections: [{ section, count: 1 }], clients: [], video_off: null, closed_ports: [] },
  });
  return openScreen(server, `/admin/${section}`, { user: admin, language: 'ru_RU' });
}
async function expectState(state: string): Promise<void> {
  const row = await screen.findByRole('row', { name: /Ремонт/ });
  expect(within(row).getByRole('cell', { name: state })).toBeVisible();
}

it.each<[said: string, AdminMessage]>([
  ['показано', banner({})],
  ['не показано', banner({ active: false })],
  ['ещё не показано', banner({ date_from: AFTER })],
  ['закончилось', banner({ date_to: BEFORE })],
])('of a banner is said: %s', async (said, made) => {
  server.answer(listAdminMessages, page([made]));
  await openRussian('messages');
  await expectState(said);
});

it.each<[of: string, said: string, AdminNews]>([
  ['news', 'показана', news({})],
  ['news', 'не показана', news({ active: false })],
  ['news', 'ещё не показана', news({ date_from: AFTER })],
  ['a question', 'показан', news({ type: 'FAQ' })],
  ['a question', 'не показан', news({ type: 'FAQ', active: false })],
  ['a question', 'ещё не показан', news({ type: 'FAQ', date_from: AFTER })],
])('of %s is said: %s', async (_, said, made) => {
  server.answer(listAdminNews, page([made]));
  await openRussian('news');
  await expectState(said);
});

it.each(['news', 'messages'] as const)(
  'the filter of %s has the gender of its own name',
  async (section) => {
    server.answer(listAdminNews, page([]));
    server.answer(listAdminMessages, page([]));
    const { hand } = await openRussian(section);
    await hand.click(await screen.findByRole('combobox', { name: /^Показ/ }));
    const options = (await screen.findAllByRole('option')).map(({ textContent }) => textContent);
    expect(options.slice(1)).toEqual(['включён', 'выключен']);
  },
);
