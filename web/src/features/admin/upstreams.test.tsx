// Systems to which records are passed on: how it goes, in words, and the numbers of buses there.
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import {
  changeUpstream,
  createUpstream,
  deleteUpstream,
  findUpstream,
  listUpstreamBuses,
  listUpstreams,
  numberUpstreamBuses,
  tryUpstream,
  type Upstream,
} from '@ridewatch/contract/admin-upstreams';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { setLanguage } from '../../i18n/language.ts';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { answerFleet, openDrawer, openSection } from '../../test/made-admin.ts';
import { upstreamBus as bus, upstream } from '../../test/made-upstream.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

let server: FakeServer;
function answer(more: Partial<Upstream> = {}): void {
  server.answer(listUpstreams, page([{ ...upstream, ...more }]));
  server.answer(findUpstream, { ...upstream, ...more });
}
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  answer();
  server.answer(listUpstreamBuses, page([bus]));
});

describe('an upstream', () => {
  const inFiveMinutes = new Date(Date.parse(NOW) + 300_000).toISOString();
  const broken = { connected_since: null, fault_since: NOW, next_try_at: inFiveMinutes };
  it.each([
    [{}, /^connected since/],
    [{ enabled: false }, 'switched off'],
    [{ connected_since: null }, 'connecting'],
    [
      { connected_since: null, waiting_since: null, waiting: 0 },
      'connects when there is something to send',
    ],
    [
      { ...broken, fault: 'sign_in_refused', fault_code: 151 },
      /^the server does not take our number \(code 151\), since .* the next attempt at \d\d:\d\d$/,
    ],
    // A fault lasts until the new connection has worked for a while.
    [{ fault: 'closed', fault_since: NOW }, /^connected again since [^·]*$/],
  ] as const)('says how its connection is, one thing at a time: %j', async (more, said) => {
    answer(more);
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    expect((await drawer.findAllByText(said)).length).toBeGreaterThan(0);
  });

  it('that waits after a fault is tried at once by a press', async () => {
    answer({ ...broken, fault: 'refused' });
    server.answer(tryUpstream, () => {
      const tried = { fault: 'refused', next_try_at: NOW } as const;
      answer({ ...broken, ...tried });
      return { ...upstream, ...broken, ...tried };
    });
    const { drawer, press } = await openDrawer(server, 'upstreams', '4');
    await press('Try now');
    await waitFor(() => expect(drawer.queryByRole('button', { name: 'Try now' })).toBeNull());
    expect(currentToasts()).toMatchObject([{ kind: 'done', text: 'The server connects now' }]);
    expect(server.asked(tryUpstream)).toHaveLength(1);
    expect(drawer.getByRole('button', { name: 'Delete' })).toBeVisible();
  });

  it('is read again every three seconds while a try runs, it alone, and no more once that is over', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const tried = { ...broken, fault: 'refused', next_try_at: NOW } as const;
    answer({ ...broken, fault: 'refused' });
    server.answer(tryUpstream, () => {
      answer(tried);
      return { ...upstream, ...tried };
    });
    const { press } = await openDrawer(server, 'upstreams', '4');
    await press('Try now');
    await waitFor(() => expect(currentToasts()).toHaveLength(1));
    await waitFor(() => expect(server.asked(findUpstream).length).toBeGreaterThan(1));
    const others = server.asked(findAdminOverview).length;
    const buses = server.asked(listUpstreamBuses).length;
    for (const _ of [1, 2]) {
      const reads = server.asked(findUpstream).length;
      await act(() => vi.advanceTimersByTimeAsync(3_000));
      await waitFor(() => expect(server.asked(findUpstream)).toHaveLength(reads + 1));
    }
    expect(server.asked(findAdminOverview)).toHaveLength(others);
    expect(server.asked(listUpstreamBuses)).toHaveLength(buses);
    answer({ ...broken, fault: 'refused' });
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    await screen.findByRole('button', { name: 'Try now' });
    const reads = server.asked(findUpstream).length;
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(server.asked(findUpstream)).toHaveLength(reads);
  });

  it('that waits can be tried although the clock of the browser is ahead of the server', async () => {
    answer({ ...broken, fault: 'refused', next_try_at: '2020-01-01T00:00:00.000Z' });
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    expect(await drawer.findByRole('button', { name: 'Try now' })).toBeVisible();
  });

  it('has an address that breaks between its parts alone', async () => {
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    await drawer.findAllByText(/egts/);
    const address = drawer.getAllByText(/egts/).find((one) => one.innerHTML.includes('<wbr>'));
    expect(address?.innerHTML).toBe('egts<wbr>.region<wbr>.example<wbr>:20332');
  });

  it('has an address of IPv6 in brackets', async () => {
    answer({ host: '2001:db8::1' });
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    expect(await drawer.findByText('[2001:db8::1]:20332')).toBeVisible();
  });

  it('stored without customers can be switched off in the form', async () => {
    const alone = { buses: 0, unnumbered: 0, client_ids: [], clients: [] };
    answer(alone);
    server.answer(changeUpstream, { ...upstream, ...alone, enabled: false });
    const { hand, drawer, press } = await openDrawer(server, 'upstreams', '4');
    await press('Edit');
    await hand.click(drawer.getByLabelText('Pass records on'));
    await press('Save');
    await waitFor(() => expect(server.asked(changeUpstream)).toHaveLength(1));
    expect(server.asked(changeUpstream)[0]?.body).toEqual({
      ...{ enabled: false, seen: { enabled: true } },
    });
  });

  it('says what waits, whose buses it gets, and why records were refused', async () => {
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    expect(await drawer.findByText(/1\s200 records/)).toBeVisible();
    expect(drawer.getByText('Иван')).toBeVisible();
    expect(drawer.getByText('154 · wrong time: 7 records · the last one: А 472 КМ')).toBeVisible();
    expect(drawer.getByText('М\u00a0501\u00a0ТТ', { normalizer: (one) => one })).toBeVisible();
    expect(drawer.getByText(/kept for up to three days, now 58;/)).toBeVisible();
  });

  it('says under which number it knows us, if we sign in', async () => {
    answer({ sign_in: 'dispatcher', sign_in_id: 4711 });
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    expect(await drawer.findByText('Our number there')).toBeVisible();
    expect(drawer.getByText('4711')).toBeVisible();
  });

  it('says that more records wait, and are kept, than are counted', async () => {
    answer({ more_waiting: true, unregistered: { ...upstream.unregistered, more: true } });
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    expect(await drawer.findByText(/^more than 1\s200 records, the oldest/)).toBeVisible();
    expect(drawer.getByText(/, now more than 58;/)).toBeVisible();
    await act(() => setLanguage('ru_RU'));
    expect(await drawer.findByText(/^более 1\s200 записей, самая старая/)).toBeVisible();
    expect(drawer.getByText(/, сейчас — более 58;/)).toBeVisible();
  });

  it('says the reason of a refusal in the language of the user, also of one who changes it', async () => {
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    expect(await drawer.findByText(/^154 · wrong time: 7/)).toBeVisible();
    await act(() => setLanguage('ru_RU'));
    expect(
      await drawer.findByText('154 · неверное время: 7 записей · последний — А 472 КМ'),
    ).toBeVisible();
    expect(drawer.getByText('Там не заведены')).toBeVisible();
  });

  it('is added by its address, and asks for a number only if it wants to know who sends', async () => {
    server.answer(createUpstream, upstream);
    const { drawer, write, choose, press } = await openDrawer(server, 'upstreams', 'new');
    await write('Name', 'Регион');
    await write('Address of the server', 'egts.region.example');
    await write('Port', '20332');
    expect(drawer.queryByLabelText('Our number there')).toBeNull();
    await choose('How to sign in', 'as a dispatcher');
    await write('Our number there', '77');
    await press('Create');
    expect(await drawer.findByText('Please fill this in')).toBeVisible();
    expect(server.asked(createUpstream)).toEqual([]);
    await choose('Whose buses', 'Иван');
    await write('Our number there', '');
    await press('Create');
    expect(await drawer.findByText('Please fill this in')).toBeVisible();
    expect(server.asked(createUpstream)).toEqual([]);
    await write('Our number there', '77');
    await press('Create');
    await waitFor(() => expect(server.asked(createUpstream)).toHaveLength(1));
    expect(server.asked(createUpstream)[0]?.body).toEqual({
      ...{ name: 'Регион', host: 'egts.region.example', port: 20_332, enabled: true },
      ...{ sign_in: 'dispatcher', sign_in_id: 77, sign_in_text: null, all_clients: false },
      ...{ client_ids: [2], with_people: true, late_minutes: 10 },
    });
  });

  it('is changed by what was typed, with what was seen', async () => {
    server.answer(changeUpstream, upstream);
    const { write, press } = await openDrawer(server, 'upstreams', '4');
    await press('Edit');
    await write('Port', '20333');
    await press('Save');
    await waitFor(() => expect(server.asked(changeUpstream)).toHaveLength(1));
    const [asked] = server.asked(changeUpstream);
    expect(asked?.body).toEqual({ port: 20_333, seen: { port: 20_332 } });
  });

  it('is deleted after a second press', async () => {
    server.answer(deleteUpstream, undefined as never);
    const { press, confirm } = await openDrawer(server, 'upstreams', '4');
    await press('Delete');
    expect(await screen.findByText('Records that wait will not be sent.')).toBeVisible();
    expect(server.asked(deleteUpstream)).toEqual([]);
    await confirm('Delete');
    await waitFor(() => expect(server.asked(deleteUpstream)).toHaveLength(1));
  });
});

describe('the numbers of buses', () => {
  it('begin with the buses that have none, and are saved together', async () => {
    server.answer(numberUpstreamBuses, { unnumbered: 0 });
    const { drawer, write, press } = await openDrawer(server, 'upstreams', '4');
    await drawer.findByLabelText('А 472 КМ · Иван');
    expect(server.asked(listUpstreamBuses)[0]?.query.get('unnumbered')).toBe('true');
    await write('А 472 КМ · Иван', '133552');
    await press('Save');
    await waitFor(() => expect(server.asked(numberUpstreamBuses)).toHaveLength(1));
    expect(server.asked(numberUpstreamBuses)[0]?.body).toEqual({
      buses: [{ id: 12, object_id: 133_552, seen: { object_id: null } }],
    });
    await waitFor(() => expect(currentToasts()).toMatchObject([{ text: 'Numbers saved' }]));
  });

  it('are refused when another bus has one, and when one is no number', async () => {
    server.answer(
      numberUpstreamBuses,
      refusal('conflict', {
        field: 'buses.0.object_id',
        current: { id: 13, name: 'М 501 ТТ', object_id: 1 },
      }),
    );
    const { drawer, write, press } = await openDrawer(server, 'upstreams', '4');
    await drawer.findByLabelText('А 472 КМ · Иван');
    await write('А 472 КМ · Иван', 'x1');
    await press('Save');
    expect(await drawer.findByText('A number from 1 to 4294967295')).toBeVisible();
    expect(server.asked(numberUpstreamBuses)).toEqual([]);
    await write('А 472 КМ · Иван', '1');
    await press('Save');
    expect(await drawer.findByText('М 501 ТТ has this number')).toBeVisible();
    expect(drawer.getByLabelText('А 472 КМ · Иван')).toBeInvalid();
    await write('А 472 КМ · Иван', '2');
    expect(drawer.getByLabelText('А 472 КМ · Иван')).toBeValid();
    await press('Cancel');
    expect(drawer.getByLabelText('А 472 КМ · Иван')).toHaveValue('');
  });
});

describe('an upstream without buses', () => {
  it('says in list and drawer that none is passed on', async () => {
    answer({ buses: 0, unnumbered: 0, client_ids: [], clients: [] });
    await openSection(server, 'upstreams');
    expect(await screen.findByText(/^no bus is passed on/)).toBeVisible();
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    expect(await drawer.findByText(/^no bus is passed on/)).toBeVisible();
  });
});

describe('the list', () => {
  it.each([
    [
      ...['en_US', 'connected since', '1 200 records, the oldest 25 min ago'],
      '1 bus without a number is not passed on · 1 bus is not known there · records refused: 7',
    ],
    [
      ...['ru_RU', 'есть с ', '1 200 записей, самая старая — 25 мин назад'],
      '1 автобус без номера не передаётся · 1 автобус там не заведён · отказано записей: 7',
    ],
  ] as const)(
    'says in %s how the connection is, how many records wait since when, and what is not passed on',
    async (language, connected, lag, remarks) => {
      const waiting_since = new Date(Date.parse(NOW) - 25 * 60_000).toISOString();
      answer({ waiting_since });
      server.answer(findAdminOverview, {
        ...{ sections: [{ section: 'upstreams', count: 1 }], clients: [] },
        ...{ video_off: null, closed_ports: [] },
      });
      await openScreen(server, '/admin/upstreams', { user: admin, language });
      const main = await screen.findByRole('main');
      await waitFor(() => expect(main).toHaveTextContent(connected));
      expect(main).toHaveTextContent(lag);
      expect(main).toHaveTextContent(remarks);
    },
  );

  it('leads to the help on connecting a system', async () => {
    await openSection(server, 'upstreams');
    expect(
      await screen.findByRole('link', { name: 'Help: how to connect a system' }),
    ).toHaveAttribute('href', '/help/other-systems');
  });

  it('tells an empty one for which systems it is', async () => {
    server.answer(listUpstreams, page([]));
    await openSection(server, 'upstreams');
    expect(await screen.findByText(/take positions and passengers in EGTS/)).toBeVisible();
  });
});
