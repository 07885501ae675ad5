import { findUnitPorts } from '@ridewatch/contract/admin-unit-ports';
import {
  type AdminUnit,
  findUnit,
  listUnits,
  rotateCredential,
} from '@ridewatch/contract/admin-units';
import { type Arrivals, findArrivals } from '@ridewatch/contract/first-steps';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerUnit, madePorts, madeUnit } from '../../test/admin-unit.ts';
import { admin, owner, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import { noteSecret } from '../admin/issued-secret.ts';
import { en as enAdmin } from '../admin/texts-en.ts';
import { ru as ruAdmin } from '../admin/texts-ru.ts';
import { en as enSteps } from '../home/first-steps/texts-en.ts';
import { ru as ruSteps } from '../home/first-steps/texts-ru.ts';

const unit = (more: Partial<AdminUnit> = {}): AdminUnit => ({
  ...{ ...madeUnit, id: 3, device_id: 'RW-3', bus: { id: 7, name: 'A 001' } },
  ...{ last_seen_at: null, credential_issued_at: null },
  ...more,
});
const silence: Arrivals = {
  ...{ last_seen_at: null, position: null, counted_at: null },
  ...{ refused_at: null, unknown_refused_at: null, clock_offset_ms: null },
};
const at = '2026-11-20T06:00:00Z';
const here: Arrivals = {
  ...silence,
  last_seen_at: at,
  position: { at, latitude: 55.7558, longitude: 37.6173 },
};
const issuedAnswer = { unit: unit({ credential_issued_at: at }), credential: 'rwu_secret' };
/** Seconds after the credential was issued. */
const second = (after: number): string => new Date(Date.parse(at) + after * 1000).toISOString();
const fixAt = (after: number): Arrivals => ({
  ...{ ...silence, last_seen_at: second(after) },
  position: { at: second(after), latitude: 55.7558, longitude: 37.6173 },
});
/** Lets the time pass after which the page asks again: two seconds. */
const askAgain = () => vi.advanceTimersByTimeAsync(2_000);

let server: FakeServer;
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date(at),
    shouldAdvanceTime: true,
  });
  server = freshServer();
  server.answer(listUnits, page([unit()]));
  server.answer(findUnit, unit());
  server.answer(findArrivals, silence);
  server.answer(rotateCredential, issuedAnswer);
  server.answer(findUnitPorts, madePorts);
  // As after a reload.
  noteSecret('units', 3, undefined);
});
afterEach(() => void vi.useRealTimers());
const issue = () =>
  screen.findByRole('button', { name: 'Issue a credential and show the commands' });

const issued = async () =>
  screen.queryAllByRole('button', { name: 'Issue a credential and show the commands' });
const storedTexts = () => [localStorage, sessionStorage].map((one) => JSON.stringify({ ...one }));

describe('the page that connects a unit', () => {
  it('shows commands with a new credential, and says when the position has arrived', async () => {
    const { hand } = await openScreen(server, '/connect', { user: admin });
    await waitFor(async () => expect(await issue()).toBeEnabled());
    await hand.click(await issue());
    const [position, passenger] = await screen.findAllByText(/rwu_secret' \\/);
    expect(position).toHaveTextContent('"type":"position"');
    expect(passenger).toHaveTextContent('"type":"passenger"');
    // The credential is shown once: what is read about it opens beside it.
    expect(screen.getByRole('link', { name: 'Unit interface' })).toHaveAttribute(
      'target',
      '_blank',
    );
    expect(screen.getAllByText('Waiting…')).toHaveLength(2);
    server.answer(findArrivals, here);
    await askAgain();
    expect(
      await screen.findByText(/Arrived at \d\d:\d\d:\d\d Moscow time: 55\.75580, 37\.61730/),
    ).toBeVisible();
    expect(screen.getAllByText('Waiting…')).toHaveLength(1);
    server.answer(findArrivals, { ...here, counted_at: at });
    await askAgain();
    expect(await screen.findByText(/Counted at/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the bus A 001' })).toBeVisible();
    const asked = server.asked(findArrivals).length;
    await askAgain();
    await askAgain();
    expect(server.asked(findArrivals)).toHaveLength(asked);
  });

  describe('that was opened from the drawer of a unit', () => {
    /** Issues a credential in the drawer, and follows its link. */
    const goOn = async () => {
      answerUnit(server, unit({ credentials: 1, credential_issued_at: at }));
      server.answer(findArrivals, silence);
      const opened = await openScreen(server, '/admin/units/3', { user: admin });
      await opened.hand.click(
        await screen.findByRole('button', { name: 'Replace the credential' }),
      );
      await screen.findByText('rwu_secret');
      return opened;
    };

    it('has the credential in its commands that the drawer has just shown, and waits', async () => {
      const { hand } = await goOn();
      await hand.click(screen.getByRole('link', { name: 'Connect' }));
      expect(await screen.findAllByText(/rwu_secret' \\/)).toHaveLength(2);
      expect(await issued()).toHaveLength(0);
      server.answer(findArrivals, here);
      await askAgain();
      expect(await screen.findByText(/Arrived at/)).toBeVisible();
      expect(server.asked(rotateCredential)).toHaveLength(1);
      const kept = [location.href, JSON.stringify(history.state), ...storedTexts()];
      expect(kept.join(' ')).not.toContain('rwu_secret');
    });

    it('begins to wait once the server says again what has arrived', async () => {
      const { hand } = await goOn();
      server.refuse(findArrivals, 'internal');
      await hand.click(screen.getByRole('link', { name: 'Connect' }));
      expect(await screen.findAllByText(/rwu_secret' \\/)).toHaveLength(2);
      server.answer(findArrivals, silence);
      await hand.click(await screen.findByRole('button', { name: 'Try again' }));
      await waitFor(() => expect(server.asked(findArrivals).length).toBeGreaterThan(1));
      server.answer(findArrivals, here);
      await askAgain();
      expect(await screen.findByText(/Arrived at/)).toBeVisible();
    });

    it('issues another one if somebody has ended that one meanwhile', async () => {
      const { hand } = await goOn();
      server.answer(findUnit, unit({ credentials: 0 }));
      await hand.click(screen.getByRole('link', { name: 'Connect' }));
      expect(await issue()).toBeVisible();
      expect(screen.queryByText(/rwu_secret/)).not.toBeInTheDocument();
    });
  });

  it('issues one credential for a double press', async () => {
    await openScreen(server, '/connect', { user: admin });
    await waitFor(async () => expect(await issue()).toBeEnabled());
    const button = await issue();
    act(() => {
      button.click();
      button.click();
    });
    await screen.findAllByText(/rwu_secret' \\/);
    expect(server.asked(rotateCredential)).toHaveLength(1);
  });

  describe('that has had a position before', () => {
    const beginWith = async (atPress: Arrivals) => {
      server.answer(rotateCredential, () => {
        // It came after the page was opened.
        server.answer(findArrivals, atPress);
        return issuedAnswer;
      });
      const { hand } = await openScreen(server, '/connect', { user: admin });
      await waitFor(async () => expect(await issue()).toBeEnabled());
      await hand.click(await issue());
      await screen.findAllByText('Waiting…');
    };
    const waits = async () => {
      const asked = server.asked(findArrivals).length;
      await askAgain();
      await waitFor(() => expect(server.asked(findArrivals).length).toBeGreaterThan(asked));
      await askAgain();
      await waitFor(() => expect(server.asked(findArrivals).length).toBeGreaterThan(asked + 1));
      expect(screen.queryByText(/Arrived at/)).not.toBeInTheDocument();
    };

    it('waits for a newer one while it counts, sends none or only what it kept', async () => {
      await beginWith(fixAt(-3600));
      const heard = { ...fixAt(-3600), last_seen_at: second(3), counted_at: second(3) };
      server.answer(findArrivals, heard);
      await askAgain();
      expect(await screen.findByText(/Counted at/)).toBeVisible();
      expect(screen.queryByText(/Arrived at/)).not.toBeInTheDocument();
      server.answer(findArrivals, { ...heard, ...fixAt(-60) });
      await waits();
      server.answer(findArrivals, { ...heard, ...fixAt(4) });
      await askAgain();
      expect(await screen.findByText(/Arrived at/)).toBeVisible();
    });

    it('takes no position of just before, and one of a clock that is slow', async () => {
      await beginWith(fixAt(-25));
      await waits();
      server.answer(findArrivals, fixAt(-20));
      await askAgain();
      expect(await screen.findByText(/Arrived at/)).toBeVisible();
    });
  });

  it('says what is wrong as far as the server knows it, and what the terminal may show', async () => {
    const { hand } = await openScreen(server, '/connect', { user: admin });
    await waitFor(async () => expect(await issue()).toBeEnabled());
    await hand.click(await issue());
    await screen.findAllByText('Waiting…');
    expect(screen.queryByText(/old credential/)).not.toBeInTheDocument();
    expect(screen.queryByText(/was heard/)).not.toBeInTheDocument();
    await hand.click(screen.getByText('Nothing arrives?'));
    expect(screen.getByText(/Check the address http:/)).toBeVisible();
    server.answer(findArrivals, { ...silence, unknown_refused_at: second(-1) });
    await askAgain();
    expect(screen.queryByText(/belongs to no unit/)).not.toBeInTheDocument();
    server.answer(findArrivals, { ...silence, unknown_refused_at: second(3) });
    await askAgain();
    expect(await screen.findByText(/^Somebody's unit .* belongs to no unit/)).toBeVisible();
    expect(
      screen.getByText('The unknown credential was refused last at 09:00:03 Moscow time.'),
    ).toBeVisible();
    server.answer(findArrivals, { ...silence, refused_at: second(4) });
    await askAgain();
    expect(await screen.findByText(/^An old credential of the unit/)).toBeVisible();
    expect(
      screen.getByText('The old credential was refused last at 09:00:04 Moscow time.'),
    ).toBeVisible();
    // The unit's own credential works, so another request was refused.
    const heard = {
      ...{ ...silence, last_seen_at: second(6), unknown_refused_at: second(7) },
      clock_offset_ms: 7_260_000,
    };
    server.answer(findArrivals, heard);
    await askAgain();
    expect(await screen.findByText(/was heard, but sent no position/)).toBeVisible();
    expect(screen.getByText('The unit was heard last at 09:00:06 Moscow time.')).toBeVisible();
    expect(screen.getByText(/^The clock of the unit is wrong/)).toBeVisible();
    expect(screen.getByText(/^The clock is 2\sh 1\smin behind/)).toBeVisible();
    expect(screen.queryByText(/old credential|belongs to no unit/)).not.toBeInTheDocument();
    server.answer(findArrivals, { ...here, last_seen_at: second(6), counted_at: at });
    await askAgain();
    expect(await screen.findByText(/Arrived at/)).toBeVisible();
    expect(screen.queryByText('Nothing arrives?')).not.toBeInTheDocument();
  });

  it('announces what is wrong once, though the server hears of it again and again', async () => {
    const { hand } = await openScreen(server, '/connect', { user: admin });
    await waitFor(async () => expect(await issue()).toBeEnabled());
    await hand.click(await issue());
    await screen.findAllByText('Waiting…');
    const wrong = (after: number): Arrivals => ({
      ...{ ...silence, refused_at: second(after), unknown_refused_at: second(after) },
    });
    server.answer(findArrivals, wrong(3));
    await askAgain();
    const said = await screen.findByText(/old credential of the unit/);
    const region = said.closest('[role=status]');
    const announced = region?.innerHTML;
    server.answer(findArrivals, wrong(9));
    await askAgain();
    expect(await screen.findAllByText(/09:00:09/)).toHaveLength(2);
    expect(said).toBeVisible();
    expect(region?.innerHTML).toBe(announced);
  });

  it('says that the units could not be loaded, then that of the chosen one, and tries each again', async () => {
    server.refuse(listUnits, 'internal');
    server.refuse(findUnit, 'internal');
    const { hand } = await openScreen(server, '/connect?unit=3', { user: admin });
    const failed = (name: string) => screen.findByRole('heading', { name });
    const retry = () => screen.getByRole('button', { name: 'Try again' });
    expect(await failed('The units could not be loaded')).toBeVisible();
    server.answer(listUnits, page([unit()]));
    await hand.click(retry());
    expect(await failed('The chosen unit could not be loaded')).toBeVisible();
    server.answer(findUnit, unit());
    await hand.click(retry());
    expect(await screen.findByText('It is in bus A 001.')).toBeVisible();
  });

  it('warns at once that no unit reaches the address of this page, if only the server itself does', async () => {
    await openScreen(server, '/connect?unit=3', { user: admin });
    const warning = await screen.findByText(/Only the server itself knows the address http:/);
    expect(warning).toBeVisible();
    expect(warning).toHaveAttribute('data-warning');
  });

  it.each([null, 'http://127.0.0.1:8080'])(
    'warns of it once, if it is the address of all units, too: %s',
    async (public_url) => {
      server.answer(findUnitPorts, { ...madePorts, public_url });
      await openScreen(server, '/connect?unit=3', { user: admin });
      expect(await issue()).toBeVisible();
      await waitFor(() =>
        expect(screen.getAllByText(/Only the server itself knows/)).toHaveLength(1),
      );
    },
  );

  it('is called by the name of the links that lead to it', async () => {
    server.answer(listUnits, { ...page([unit()]), total: 101 });
    await openScreen(server, '/connect', { user: admin });
    const said = await screen.findByText(/The others are in the administration/);
    for (const texts of [enAdmin.credential.connect, enSteps.steps.position.action]) {
      expect(said).toHaveTextContent(`“${texts}”`);
    }
    expect(enSteps.steps.count.action).toBe(enAdmin.credential.connect);
    expect(ruSteps.steps.position.action).toBe(ruAdmin.credential.connect);
    expect(ruSteps.steps.count.action).toBe(ruAdmin.credential.connect);
  });

  it('warns of a unit that is switched off', async () => {
    server.answer(findUnit, unit({ enabled: false }));
    await openScreen(server, '/connect?unit=3', { user: admin });
    expect(await screen.findByText(/is switched off/)).toBeVisible();
  });

  it('warns of a unit without a bus, and of one in test mode', async () => {
    server.answer(findUnit, unit({ bus: null, test_since: at }));
    await openScreen(server, '/connect?unit=3', { user: admin });
    expect(await screen.findByText(/is in no bus/)).toBeVisible();
    expect(screen.getByText(/test mode/)).toBeVisible();
  });

  it('leads to the first unit, if there is none', async () => {
    server.answer(listUnits, page([]));
    await openScreen(server, '/connect', { user: admin });
    expect(await screen.findByRole('link', { name: 'Create a unit' })).toHaveAttribute(
      'href',
      '/admin/units/new',
    );
  });

  it.each([
    ['en_US', 'A page for administrators and integrators', 'To the home page'],
    ['ru_RU', 'Страница для администраторов и интеграторов', 'На главную'],
  ] as const)(
    'is for administrators and integrators, and leads others on, in %s',
    async (language, title, home) => {
      await openScreen(server, '/connect', { user: owner, language });
      const said = await screen.findByRole('heading', { name: title });
      const part = within(said.parentElement ?? document.body);
      expect(part.getByRole('link', { name: home })).toHaveAttribute('href', '/');
      expect(server.asked(listUnits)).toHaveLength(0);
    },
  );
});
