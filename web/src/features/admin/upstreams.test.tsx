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
  type Upstream,
} from '@ridewatch/contract/admin-upstreams';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { answerFleet, ivan, openDrawer } from '../../test/made-admin.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

const upstream: Upstream = {
  ...{ id: 4, name: 'Регион', host: 'egts.region.example', port: 20_332, enabled: true },
  ...{ sign_in: 'none', sign_in_id: null, sign_in_text: null, all_clients: false },
  ...{ client_ids: [2], clients: [ivan], with_people: true, late_minutes: 10, created_at: NOW },
  ...{ connected_since: NOW, last_confirmed_at: NOW, fault: null, fault_code: null },
  ...{ fault_since: null, waiting_since: NOW, waiting: 1200, confirmed: 5000, fallen: 0 },
  ...{ fallen_at: null, buses: 2, unnumbered: 1 },
  refused: [{ code: 153, records: 7, last_at: NOW, bus: { id: 12, name: 'А 472 КМ' } }],
};
const bus = {
  ...{ id: 12, name: 'А 472 КМ', client: ivan, object_id: null, unit_object_id: null },
};

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
  it.each([
    [{}, /there, since/],
    [{ enabled: false }, 'switched off'],
    [{ connected_since: null }, 'connecting'],
    [
      { connected_since: null, fault: 'sign_in_refused', fault_code: 151, fault_since: NOW },
      /the server does not take our number \(code 151\), since/,
    ],
  ] as const)('says how its connection is: %j', async (more, said) => {
    answer(more);
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    expect((await drawer.findAllByText(said)).length).toBeGreaterThan(0);
  });

  it('says what waits, whose buses it gets, and why records were refused', async () => {
    const { drawer } = await openDrawer(server, 'upstreams', '4');
    expect(await drawer.findByText(/1\s200 records/)).toBeVisible();
    expect(drawer.getByText('Иван')).toBeVisible();
    expect(
      drawer.getByText('no bus has this number there: 7 · the last one: А 472 КМ'),
    ).toBeVisible();
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
    await choose('Whose buses', 'Иван');
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
      buses: [{ id: 12, object_id: 133_552 }],
    });
    await waitFor(() => expect(currentToasts()).toMatchObject([{ text: 'Numbers saved' }]));
  });

  it('are refused when another bus has one, and when one is no number', async () => {
    server.answer(numberUpstreamBuses, refusal('conflict', { field: 'buses' }));
    const { drawer, write, press } = await openDrawer(server, 'upstreams', '4');
    await drawer.findByLabelText('А 472 КМ · Иван');
    await write('А 472 КМ · Иван', 'x1');
    await press('Save');
    expect(await drawer.findByText('A number from 1 to 4294967295')).toBeVisible();
    expect(server.asked(numberUpstreamBuses)).toEqual([]);
    await write('А 472 КМ · Иван', '1');
    await press('Save');
    expect(await drawer.findByRole('alert')).toHaveTextContent(
      'Another bus has one of these numbers',
    );
  });
});

describe('the menu', () => {
  it('has the section in Russian, too', async () => {
    server.answer(findAdminOverview, {
      ...{ sections: [{ section: 'upstreams', count: 1 }], clients: [] },
      ...{ video_off: null, closed_ports: [] },
    });
    await openScreen(server, '/admin/upstreams', { user: admin, language: 'ru_RU' });
    const table = within(await screen.findByRole('main'));
    expect((await table.findAllByText(/есть, с /)).length).toBeGreaterThan(0);
  });
});
