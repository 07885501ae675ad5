// Numbers that no unit has: one press makes a unit of one.

import { findAdminBus } from '@ridewatch/contract/admin-buses';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { changeUnknownUnits } from '@ridewatch/contract/admin-several';
import { findUnit } from '@ridewatch/contract/admin-units';
import {
  adoptUnknownUnit,
  findUnknownUnit,
  ignoreUnknownUnit,
  listUnknownUnits,
  type UnknownUnit,
} from '@ridewatch/contract/admin-unknown-units';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { madeUnit, madeUnknown } from '../../test/admin-unit.ts';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { answerFleet, openDrawer, openSection } from '../../test/made-admin.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';
import { currentToasts } from '../../ui/toast-store.ts';

const unknown = madeUnknown;

const overview = {
  sections: (['units', 'unknown_units'] as const).map((section) => ({ section, count: 1 })),
  ...{ clients: [], video_off: null, closed_ports: [] },
};
const hoursAgo = (hours: number): string =>
  new Date(Date.parse(NOW) - hours * 3_600_000).toISOString();

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
  server.answer(listUnknownUnits, page([unknown]));
  server.answer(findUnknownUnit, unknown);
});

describe('a number that no unit has', () => {
  it('becomes a unit by one press, whose form asks for its bus', async () => {
    const adopted = { ...madeUnit, protocol: 'egts', protocol_id: '133552' } as const;
    server.answer(adoptUnknownUnit, adopted);
    server.answer(findUnit, adopted);
    server.answer(findAdminOverview, overview);
    const { hand, address } = await openScreen(server, '/admin/unknown_units/3', { user: admin });
    const drawer = within(await screen.findByRole('complementary'));
    expect(await drawer.findByText('55.75580, 37.61760')).toBeVisible();
    await hand.click(await drawer.findByRole('button', { name: 'Adopt the unit' }));
    await waitFor(() => expect(address()).toMatch(/\/admin\/units\/7\?edit=7$/));
    expect(currentToasts()).toMatchObject([{ text: 'The unit is adopted. Choose its bus' }]);
    // It is chosen by a person, also where there is only one.
    expect(await screen.findByLabelText('Bus')).toHaveValue('');
    expect(screen.getByLabelText('Bus')).toHaveFocus();
    expect(server.asked(findAdminBus)).toEqual([]);
  });

  it('becomes a unit on a phone, where its toast makes way for the form when a finger goes on', async () => {
    const adopted = { ...madeUnit, protocol: 'egts', protocol_id: '133552' } as const;
    server.answer(adoptUnknownUnit, adopted);
    server.answer(findUnit, adopted);
    server.answer(findAdminOverview, overview);
    const opening = { user: admin, device: 'phone' } as const;
    const { hand } = await openScreen(server, '/admin/unknown_units/3', opening);
    await hand.click(await screen.findByRole('button', { name: 'Adopt the unit' }));
    const field = await screen.findByLabelText('Device id');
    expect(currentToasts()).toHaveLength(1);
    await hand.click(field);
    expect(currentToasts()).toEqual([]);
  });

  it.each([
    [
      { current: { id: 7, device_id: 'egts-133552' } },
      'The unit egts-133552 has this number by now',
    ],
    [{}, 'A unit has this number by now'],
  ])(
    'that somebody else has adopted meanwhile says so, and leaves the list: %j',
    async (more, said) => {
      server.answer(adoptUnknownUnit, () => {
        server.answer(listUnknownUnits, page([]));
        server.refuse(findUnknownUnit, 'not_found');
        return refusal('conflict', { field: 'protocol_id', ...more });
      });
      const { press } = await openDrawer(server, 'unknown_units', '3');
      await press('Adopt the unit');
      await waitFor(() => expect(currentToasts()).toMatchObject([{ kind: 'error', text: said }]));
      expect(await screen.findByText(/^There are no unknown units\./)).toBeVisible();
      expect(currentToasts()).toHaveLength(1);
    },
  );

  it.each([
    [() => server.refuse(adoptUnknownUnit, 'internal'), '500: It was refused.'],
    [() => server.setLink(false), 'No connection to the server'],
  ])('that could not be adopted says so', async (fail, why) => {
    const { press, drawer } = await openDrawer(server, 'unknown_units', '3');
    await drawer.findByRole('button', { name: 'Adopt the unit' });
    fail();
    await press('Adopt the unit');
    await waitFor(() => expect(currentToasts()).toHaveLength(1));
    expect(currentToasts()).toMatchObject([{ kind: 'error', text: 'The unit is not adopted' }]);
    expect(currentToasts()[0]?.more).toContain(why);
    expect(drawer.getByRole('button', { name: 'Adopt the unit' })).toBeEnabled();
  });

  it('that was adopted elsewhere or has been silent for long says so', async () => {
    server.answer(listUnknownUnits, page([]));
    server.refuse(findUnknownUnit, 'not_found');
    const { drawer } = await openDrawer(server, 'unknown_units', '3');
    expect(await drawer.findByRole('heading', { name: /no longer in the list/ })).toBeVisible();
    expect(drawer.getByRole('alert')).toHaveTextContent(/^A unit has it by now, or /);
  });

  it.each([
    ['jt808', '13912345678', 'JT/T 808 13912345678'],
    ['osmand', 'van 7', 'OsmAnd van 7'],
  ] as const)('of %s is called by the name of its protocol: %s', async (protocol, id, title) => {
    const knocks = { ...unknown, protocol, protocol_id: id };
    server.answer(listUnknownUnits, page([knocks]));
    server.answer(findUnknownUnit, knocks);
    const { drawer } = await openDrawer(server, 'unknown_units', '3');
    expect(await drawer.findByRole('heading', { name: title })).toBeVisible();
  });

  it('that its protocol does not have cannot be adopted, and says what to do', async () => {
    const knocks = { ...unknown, protocol: 'jt808' as const, protocol_id: '007' };
    server.answer(listUnknownUnits, page([knocks]));
    server.answer(findUnknownUnit, knocks);
    const { drawer } = await openDrawer(server, 'unknown_units', '3');
    expect(await drawer.findByRole('alert')).toHaveTextContent(
      'first correct the number in the unit itself. This is no number of JT/T 808',
    );
    expect(drawer.getByRole('button', { name: 'Adopt the unit' })).toBeDisabled();
  });

  it('is told by the people whom it counted, and by when and from where it was heard', async () => {
    const counter: UnknownUnit = {
      ...{ ...unknown, protocol: 'osmand', protocol_id: 'counter-9', sent_time: null },
      ...{ latitude: null, longitude: null, last_at: hoursAgo(1) },
      ...{ counted_time: hoursAgo(5), door: 2, entered: 2, exited: 1 },
    };
    server.answer(listUnknownUnits, page([counter]));
    server.answer(findUnknownUnit, counter);
    server.answer(findAdminOverview, overview);
    await openScreen(server, '/admin/unknown_units', { user: admin, device: 'phone' });
    const link = await screen.findByRole('link', { name: /counter-9/ });
    expect(link.closest('td')).toHaveTextContent(/1 h ago · 10\.1\.2\.3 2 in, 1 out, door 2$/);
  });

  it('has its place and its time, and its people and their door, on lines of their own', async () => {
    const counter = { counted_time: hoursAgo(5), door: 2, entered: 12, exited: 10 };
    server.answer(listUnknownUnits, page([{ ...unknown, ...counter, longitude: 37.6 }]));
    await openSection(server, 'unknown_units');
    for (const line of ['55.75580, 37.60000', '10.03.2026 15:00', '12 in, 10 out', 'door 2']) {
      expect(await screen.findByText(line)).toBeVisible();
    }
    expect(screen.getByText('State: new')).toBeVisible();
  });

  it('is none yet: the list leads to how a unit is connected', async () => {
    server.answer(listUnknownUnits, page([]));
    const { hand, address } = await openSection(server, 'unknown_units');
    await hand.click(await screen.findByRole('link', { name: 'How to connect a unit' }));
    await waitFor(() => expect(address()).toMatch(/\/connect$/));
  });

  it('that is not ours is put aside with others at once', async () => {
    server.answer(listUnknownUnits, page([unknown, { ...unknown, id: 4, protocol_id: '4021' }]));
    server.answer(changeUnknownUnits, { changed: 2, changed_ids: [3, 4] });
    const { hand } = await openSection(server, 'unknown_units');
    await hand.click(await screen.findByRole('checkbox', { name: 'Choose all rows' }));
    await hand.click(await screen.findByRole('button', { name: 'They are not ours' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('133552')).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: /^Change/ }));
    await waitFor(() =>
      expect(server.asked(changeUnknownUnits).map(({ body }) => body)).toEqual([
        { ids: [3, 4], preview: true, change: { ignored: true } },
        { ids: [3, 4], preview: false, change: { ignored: true } },
      ]),
    );
  });

  it('that is not ours is put aside', async () => {
    server.answer(ignoreUnknownUnit, () => {
      server.answer(findUnknownUnit, { ...unknown, ignored: true });
      return { ...unknown, ignored: true };
    });
    const { press, drawer } = await openDrawer(server, 'unknown_units', '3');
    await press('It is not ours');
    expect(await drawer.findByRole('button', { name: 'Treat as new again' })).toBeVisible();
    expect(server.asked(ignoreUnknownUnit).map(({ body }) => body)).toEqual([{ ignored: true }]);
  });
});
