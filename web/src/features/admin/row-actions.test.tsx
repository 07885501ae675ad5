// Actions on rows beside their forms: keys are made and revoked, routes deleted, places merged, several changed.
import { listAdminBuses, updateBus } from '@ridewatch/contract/admin-buses';
import { listCustomers } from '@ridewatch/contract/admin-customers';
import {
  deleteGroup,
  findGroup,
  listClassifiers,
  listGroups,
  mergeClassifiers,
} from '@ridewatch/contract/admin-groups';
import {
  type AdminMessage,
  createMessage,
  deleteMessage,
  findAdminMessage,
  listAdminMessages,
  setMessageMedia,
} from '@ridewatch/contract/admin-news';
import { changeBuses, changeRetentions } from '@ridewatch/contract/admin-several';
import {
  type ApiKey,
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
} from '@ridewatch/contract/api-keys';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { page } from '../../test/made.ts';
import {
  anna,
  answerFleet,
  madeBus,
  madeCustomer,
  madePlace,
  openDrawer,
  openSection,
} from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

const key: ApiKey = {
  ...{
    id: 8,
    name: 'Табло',
    client: anna,
    scopes: ['buses'],
    created_by: { id: 1, name: 'admin' },
  },
  ...{ created_at: NOW, expires_at: null, last_used_at: null },
};
const banner: AdminMessage = {
  ...{ id: 6, title: 'Ремонт', text: 'Ночью.', active: false, date_from: null, date_to: null },
  ...{ media: null, created_at: NOW },
};

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  server.answer(listApiKeys, page([key]));
  server.answer(findApiKey, key);
  server.answer(listAdminMessages, page([banner]));
  server.answer(findAdminMessage, banner);
});
const times = (endpoint: Parameters<FakeServer['asked']>[0], count: number) =>
  waitFor(() => expect(server.asked(endpoint)).toHaveLength(count));

describe('an API key', () => {
  it('is made for what is chosen, shown once, and gone after it is revoked', async () => {
    server.answer(createApiKey, { key, secret: 'rwk_secret' });
    server.answer(revokeApiKey, undefined);
    const { hand, drawer, field, write, choose, press, confirm } = await openDrawer(
      server,
      'keys',
      'new',
    );
    await choose('Customer', 'Анна');
    await write('Name', 'Табло');
    await press('Create');
    expect(await drawer.findByText('Choose what it may read')).toBeVisible();
    expect(server.asked(createApiKey)).toHaveLength(0);
    await hand.click(await field('Buses and routes'));
    await press('Create');
    await times(createApiKey, 1);
    expect(server.asked(createApiKey)[0]?.body).toEqual({
      ...{ client_id: 1, name: 'Табло', scopes: ['buses'], last_day: null },
    });
    const shown = within(await screen.findByRole('complementary', { name: 'Табло' }));
    expect(await shown.findByText('rwk_secret')).toBeVisible();
    await hand.click(shown.getByRole('button', { name: 'Revoke' }));
    await confirm('Revoke');
    await times(revokeApiKey, 1);
    await waitFor(() => expect(shown.queryByText('rwk_secret')).not.toBeInTheDocument());
  });

  it('is copied next by somebody who made it with the keyboard', async () => {
    server.answer(createApiKey, { key, secret: 'rwk_secret' });
    const { hand, field, write, choose } = await openDrawer(server, 'keys', 'new');
    await choose('Customer', 'Анна');
    await hand.click(await field('Buses and routes'));
    await write('Name', 'Табло{Enter}');
    const shown = within(await screen.findByRole('complementary', { name: 'Табло' }));
    expect(await shown.findByRole('button', { name: 'Copy rwk_secret' })).toHaveFocus();
  });
});

describe('a route', () => {
  it('is deleted after a question, and the list is shown', async () => {
    server.answer(deleteGroup, undefined);
    const { press, confirm, address } = await openDrawer(server, 'groups', '4');
    await press('Delete the route');
    await confirm('Cancel');
    expect(server.asked(deleteGroup)).toHaveLength(0);
    await press('Delete the route');
    await confirm('Delete the route');
    await waitFor(() => expect(address()).toMatch(/\/admin\/groups$/));
    expect(server.asked(deleteGroup)[0]?.params).toEqual({ id: '4' });
  });

  it('with buses stays, and says why', async () => {
    server.answer(deleteGroup, refusal('conflict', { field: 'buses' }));
    const { press, confirm, address } = await openDrawer(server, 'groups', '4');
    await press('Delete the route');
    await confirm('Delete the route');
    await times(deleteGroup, 1);
    expect(address()).toMatch(/\/groups\/4$/);
  });

  it('that somebody else has deleted is said to be gone', async () => {
    server.answer(findGroup, refusal('not_found'));
    await openSection(server, 'groups', '99');
    expect(await screen.findByRole('heading', { name: 'There is no such row' })).toBeVisible();
  });
});

describe('a place', () => {
  it('is merged into another of its customer, whose drawer opens', async () => {
    const other = { ...madePlace, id: 7, name: 'Рынок южный' };
    server.answer(listClassifiers, page([madePlace, other]));
    server.answer(mergeClassifiers, other);
    const { choose, press, confirm, address } = await openDrawer(server, 'classifiers', '3');
    await choose('Merge into the stop', 'Рынок южный · № 7');
    await press('Merge');
    await confirm('Merge');
    await waitFor(() => expect(address()).toMatch(/classifiers\/7$/));
    const [asked] = server.asked(mergeClassifiers);
    expect([asked?.params, asked?.body]).toEqual([{ classifierId: '3' }, { into: 7 }]);
  });
});

describe('a bus', () => {
  it('leaves the fleet after a question, and returns at once', async () => {
    server.answer(updateBus, madeBus);
    const { press, confirm } = await openDrawer(server, 'buses', '12');
    await press('Take out of the fleet');
    await confirm('Take out of the fleet');
    await times(updateBus, 1);
    expect(server.asked(updateBus)[0]?.body).toEqual({ retired: true });
  });
});

describe('a banner', () => {
  it('is written, and is not shown until somebody says so', async () => {
    server.answer(createMessage, banner);
    const { write, press } = await openDrawer(server, 'messages', 'new');
    await write('Title', 'Ремонт');
    await write('Text', 'Ночью.');
    await press('Create');
    await times(createMessage, 1);
    expect(server.asked(createMessage)[0]?.body).toEqual({
      ...{ title: 'Ремонт', text: 'Ночью.', active: false, date_from: null, date_to: null },
    });
  });

  it('gets an image, and one that is too large is not sent', async () => {
    server.answer(setMessageMedia, banner);
    const { hand, drawer } = await openDrawer(server, 'messages', '6');
    const input = await drawer.findByLabelText('Image or file', { selector: 'input' });
    await hand.upload(input, new File([], 'empty.png'));
    expect(await drawer.findByText('The file is larger than 10 MB, or empty')).toBeVisible();
    expect(server.asked(setMessageMedia)).toHaveLength(0);
    await hand.upload(input, new File(['png'], 'map.png'));
    await times(setMessageMedia, 1);
  });

  it('is deleted after a question, and the list is shown', async () => {
    server.answer(deleteMessage, undefined);
    const { press, confirm, address } = await openDrawer(server, 'messages', '6');
    await press('Delete');
    await confirm('Delete');
    await waitFor(() => expect(address()).toMatch(/\/admin\/messages$/));
    expect(server.asked(deleteMessage)).toHaveLength(1);
  });
});

describe('several rows', () => {
  const buses = [1, 2, 3, 4].map((id) => ({ ...madeBus, id, name: `Автобус ${id}` }));
  const box = (name: string) => screen.findByRole('checkbox', { name: `Choose ${name}` });
  const bar = async () => within(await screen.findByRole('region', { name: /chosen rows/ }));

  it('are chosen with Shift, and leave the fleet together once it was said which change', async () => {
    server.answer(listAdminBuses, page(buses));
    server.answer(changeBuses, { changed: 2, changed_ids: [1, 3] });
    const { hand } = await openSection(server, 'buses');
    await hand.click(await box('Автобус 1'));
    await hand.keyboard('{Shift>}');
    await hand.click(await box('Автобус 3'));
    await hand.keyboard('{/Shift}');
    expect((await bar()).getByRole('status')).toHaveTextContent('3 chosen');
    await hand.click((await bar()).getByRole('button', { name: 'Take out of the fleet' }));
    const question = within(await screen.findByRole('dialog'));
    expect(question.getByRole('status')).toHaveTextContent('2 of 3 rows change');
    expect(question.getByText(/^Автобус 1 · /)).toBeVisible();
    expect(question.getByText(/^Автобус 3 · /)).toBeVisible();
    await hand.click(question.getByRole('button', { name: 'Change 2 rows' }));
    await times(changeBuses, 2);
    const body = { ids: [1, 2, 3], change: { retired: true } };
    expect(server.asked(changeBuses).map((asked) => asked.body)).toEqual([
      { ...body, preview: true },
      { ...body, preview: false },
    ]);
    expect(await screen.findByText(/2 of 3 rows changed/)).toBeVisible();
    expect(screen.queryByRole('region', { name: /chosen rows/ })).not.toBeInTheDocument();
  });

  it('that are chosen while it is asked what would change stay as they are', async () => {
    let tell = () => {};
    const isTold = new Promise<void>((resolve) => {
      tell = resolve;
    });
    server.answer(listAdminBuses, page(buses));
    server.answer(changeBuses, async () => {
      await isTold;
      return { changed: 1, changed_ids: [1] };
    });
    const { hand } = await openSection(server, 'buses');
    await hand.click(await box('Автобус 1'));
    await hand.click((await bar()).getByRole('button', { name: 'Take out of the fleet' }));
    await hand.click(await box('Автобус 2'));
    tell();
    await hand.click(await screen.findByRole('button', { name: 'Change 1 row' }));
    await times(changeBuses, 2);
    expect(server.asked(changeBuses)[1]?.body).toMatchObject({ ids: [1], preview: false });
  });

  it('get a route from a day on', async () => {
    server.answer(listAdminBuses, page(buses));
    server.answer(changeBuses, { changed: 1, changed_ids: [2] });
    const { hand } = await openSection(server, 'buses');
    await hand.click(await box('Автобус 2'));
    await hand.click((await bar()).getByRole('button', { name: 'Route from a day on' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.click(await dialog.findByLabelText('Route'));
    const options = await dialog.findAllByRole('option', { name: '156 · Анна' });
    await hand.click(options[0] as HTMLElement);
    await hand.click(dialog.getByRole('button', { name: 'Next' }));
    await hand.click(await screen.findByRole('button', { name: 'Change 1 row' }));
    await times(changeBuses, 2);
    expect(server.asked(changeBuses)[1]?.body).toEqual({
      ...{ ids: [2], preview: false, change: { group_id: 4, valid_from: '2026-03-10' } },
    });
  });

  it('are offered the routes of the ten customers with the most of them', async () => {
    const clientOf = (id: number) => (id < 3 ? 12 : id - 2);
    const chosen = Array.from({ length: 14 }, (_, at) => ({
      ...{ ...madeBus, id: at + 1, name: `Автобус ${at + 1}` },
      clients: [{ ...anna, id: clientOf(at + 1) }],
    }));
    server.answer(listAdminBuses, page(chosen));
    const { hand } = await openSection(server, 'buses');
    await box('Автобус 2');
    const before = server.asked(listGroups).length;
    await hand.click(screen.getByRole('checkbox', { name: /^Choose all/ }));
    await hand.click((await bar()).getByRole('button', { name: 'Route from a day on' }));
    expect(await screen.findByText(/^Routes of 10 of 12 customers/)).toBeVisible();
    const asked = server.asked(listGroups).slice(before);
    expect(asked.map(({ query }) => query.get('clientId'))).toEqual(
      [12, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(String),
    );
  });

  it('that are like that already are not sent', async () => {
    server.answer(listAdminBuses, page(buses));
    server.answer(changeBuses, { changed: 0, changed_ids: [] });
    const { hand } = await openSection(server, 'buses');
    await hand.click(await box('Автобус 2'));
    await hand.click((await bar()).getByRole('button', { name: 'Take out of the fleet' }));
    const question = within(await screen.findByRole('dialog'));
    expect(question.getByRole('status')).toHaveTextContent('Nothing changes');
    expect(question.queryByRole('button', { name: /^Change/ })).not.toBeInTheDocument();
    await hand.click(question.getByRole('button', { name: 'Cancel' }));
    expect(server.asked(changeBuses)).toHaveLength(1);
  });

  it('of customers get days of retention; an empty field stays as it is', async () => {
    server.answer(listCustomers, page([madeCustomer]));
    server.answer(changeRetentions, { changed: 1, changed_ids: [madeCustomer.id] });
    const { hand } = await openSection(server, 'customers');
    await hand.click(await screen.findByRole('checkbox', { name: 'Choose all rows' }));
    await hand.click((await bar()).getByRole('button', { name: 'Retention' }));
    const dialog = within(await screen.findByRole('dialog'));
    const [video] = dialog.getAllByRole('textbox');
    await hand.type(video as HTMLElement, '0');
    expect(dialog.getByRole('button', { name: 'Next' })).toBeDisabled();
    await hand.clear(video as HTMLElement);
    await hand.type(video as HTMLElement, '30');
    await hand.click(dialog.getByRole('button', { name: 'Next' }));
    await hand.click(await screen.findByRole('button', { name: 'Change 1 row' }));
    await times(changeRetentions, 2);
    expect(server.asked(changeRetentions)[1]?.body).toEqual({
      ...{ ids: [madeCustomer.id], preview: false, change: { video_days: 30 } },
    });
  });
});
