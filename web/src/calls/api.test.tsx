import { changePassword, listSessions } from '@ridewatch/contract/account';
import { issueTokens, me } from '@ridewatch/contract/auth';
import { listBuses } from '@ridewatch/contract/buses';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logoutReason } from '../core/session.ts';
import { NOW } from '../test/browser.ts';
import { bus, busList, owner } from '../test/made.ts';
import { freshServer, showPart } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';
import { closeToast, currentToasts } from '../ui/toast-store.ts';
import { Toaster } from '../ui/toaster.tsx';
import {
  cacheAnswer,
  changeCached,
  keyOf,
  prefetchEndpoint,
  queryClient,
  useAction,
  useEndpoint,
} from './api.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

function Buses({ isQuiet = false }: { isQuiet?: boolean }) {
  const { data, error, refetch } = useEndpoint(listBuses, {}, { isQuiet: () => isQuiet });
  return (
    <>
      <p>{data ? `${data.total} buses` : 'none yet'}</p>
      {error && <p>failed with {error.status}</p>}
      <button type="button" onClick={() => void refetch()}>
        Again
      </button>
      <Toaster />
    </>
  );
}

function Password() {
  const change = useAction(changePassword);
  const body = { old_password: 'old', new_password: 'new' };
  return (
    <>
      <button type="button" onClick={() => change.mutate({ body })}>
        Change
      </button>
      <Toaster />
    </>
  );
}

// Before the others: their failures plan an attempt on the real clock.
describe('a reading call while the server is away', () => {
  const toFake = ['Date', 'setTimeout', 'clearTimeout'] as const;
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const away = (status: number) => () =>
    new Response('<html>page of a proxy</html>', { status, statusText: 'Away' });
  const count = () => server.asked(listBuses).length;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: [...toFake], now: new Date(NOW) });
  });
  // No timer of a test is left for the next one.
  afterEach(async () => {
    server.answer(listBuses, busList([]));
    await pass(10_000);
  });

  it.each([502, 503, 504])('with %d is asked again until it is answered', async (status) => {
    server.answer(listBuses, away(status));
    await showPart(<Buses />);
    await pass(0);
    expect(screen.getByText(`failed with ${status}`)).toBeVisible();
    await pass(2_900);
    expect(count()).toBe(1);
    await pass(2_100);
    expect(count()).toBe(2);
    await pass(30_000);
    expect(count()).toBeGreaterThanOrEqual(8);
    expect(count()).toBeLessThanOrEqual(12);
    // The toast of the first failure is the only one.
    expect(currentToasts().length).toBeLessThanOrEqual(1);
    server.answer(listBuses, busList([bus(1)]));
    await pass(5_000);
    expect(screen.getByText('1 buses')).toBeVisible();
    const asked = count();
    await pass(30_000);
    expect(count()).toBe(asked);
  });

  it('asks only for what failed', async () => {
    server.answer(listBuses, away(502));
    server.answer(listSessions, { items: [], total: 0 });
    const Sessions = () => <p>{useEndpoint(listSessions, {}).data ? 'sessions' : 'none'}</p>;
    await showPart(
      <>
        <Buses />
        <Sessions />
      </>,
    );
    await pass(12_000);
    expect(count()).toBeGreaterThan(2);
    expect(server.asked(listSessions)).toHaveLength(1);
  });

  it('asks nothing in a hidden tab, and again when it is shown', async () => {
    server.answer(listBuses, away(503));
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await showPart(<Buses />);
    await pass(60_000);
    expect(count()).toBe(1);
    visibility.mockReturnValue('visible');
    await pass(5_000);
    expect(count()).toBe(2);
  });

  it('asks no more when nothing shows the answer', async () => {
    server.answer(listBuses, away(503));
    const { unmount } = await showPart(<Buses />);
    await pass(0);
    unmount();
    await pass(30_000);
    expect(count()).toBe(1);
  });

  it.each([500, 404])('is not asked again after %d', async (status) => {
    server.answer(listBuses, away(status));
    await showPart(<Buses />);
    await pass(30_000);
    expect(count()).toBe(1);
  });
});

describe('an answer to a change', () => {
  beforeEach(() => server.answer(listSessions, { items: [], total: 0 }));

  /** Shows one bus, and begins a read that says the same when it is let through. @returns what lets it through */
  async function beginLateRead(): Promise<() => Promise<void>> {
    server.answer(listBuses, busList([bus(1)]));
    const { hand } = await showPart(<Buses />);
    expect(await screen.findByText('1 buses')).toBeVisible();
    let answerLate: (given: ReturnType<typeof busList>) => void = () => undefined;
    server.answer(listBuses, () => new Promise((resolve) => (answerLate = resolve)));
    await hand.click(screen.getByRole('button', { name: 'Again' }));
    return () =>
      act(async () => {
        answerLate(busList([bus(1)]));
        // A read that began later has come through, so the late answer has, too.
        await prefetchEndpoint(listSessions, {});
      });
  }
  const cached = () => queryClient.getQueryData(keyOf(listBuses, {}));

  it('is not replaced by an earlier read that answers late', async () => {
    const letThrough = await beginLateRead();
    act(() => cacheAnswer(listBuses, {}, busList([bus(1), bus(2)])));
    expect(await screen.findByText('2 buses')).toBeVisible();
    await letThrough();
    expect(cached()).toHaveProperty('total', 2);
    expect(currentToasts()).toEqual([]);
  });

  it('that changes a part has a read under way begin again', async () => {
    const letThrough = await beginLateRead();
    server.answer(listBuses, busList([bus(1), bus(2), bus(3)]));
    act(() => changeCached(listBuses, {}, () => busList([bus(1), bus(2)])));
    expect(await screen.findByText('3 buses')).toBeVisible();
    await letThrough();
    expect(cached()).toHaveProperty('total', 3);
  });

  it('changes no answer that is not cached, and asks for none', () => {
    changeCached(listBuses, {}, () => busList([bus(1)]));
    expect(cached()).toBeUndefined();
    expect(server.asked(listBuses)).toEqual([]);
  });
});

describe('a reading call', () => {
  it('gives its answer to the component', async () => {
    server.answer(listBuses, busList([bus(1), bus(2)]));
    await showPart(<Buses />);
    expect(await screen.findByText('2 buses')).toBeVisible();
  });

  it('tells its failure in a toast: status and message in the language of the page', async () => {
    server.refuse(listBuses, 'unavailable');
    const { unmount } = await showPart(<Buses />);
    expect(await screen.findByText('503: It was refused.')).toBeVisible();
    expect(screen.getByText('The server is not available at the moment')).toBeVisible();
    unmount();
    freshServer().refuse(listBuses, 'unavailable');
    await showPart(<Buses />, { language: 'ru_RU' });
    expect(await screen.findByText('503: Сервер временно недоступен')).toBeVisible();
    server = freshServer();
    server.refuse(listBuses, 'conflict');
    await showPart(<Buses />, { language: 'ru_RU' });
    expect(await screen.findByText(/^409: Данные уже изменились/)).toBeVisible();
    // The server says what it knows of the cause, in its own words.
    expect(screen.getByText('It was refused.')).toBeVisible();
  });

  it('whose code has no text of ours tells what the server says, in any language', async () => {
    server.answer(listBuses, new Response('Bad luck', { status: 418 }));
    await showPart(<Buses />, { language: 'ru_RU' });
    expect(await screen.findByText('418: Bad luck')).toBeVisible();
  });

  it('tells nothing of a failure that the page tells in another way', async () => {
    server.refuse(listBuses, 'internal');
    await showPart(<Buses isQuiet />);
    expect(await screen.findByText('failed with 500')).toBeVisible();
    expect(screen.queryByText(/^500:/)).not.toBeInTheDocument();
  });

  it('tells a failure once for its cause, and again after an answer', async () => {
    server.refuse(listBuses, 'internal', 'Out of order.');
    const { hand } = await showPart(<Buses />);
    const again = () => hand.click(screen.getByRole('button', { name: 'Again' }));
    const toasts = () => currentToasts().map(({ text }) => text);
    await waitFor(() => expect(toasts()).toEqual(['500: Out of order.']));
    for (const { id } of currentToasts()) act(() => closeToast(id));
    await again();
    server.refuse(listSessions, 'internal', 'Out of order.');
    await prefetchEndpoint(listSessions, {});
    await waitFor(() => expect(server.asked(listBuses)).toHaveLength(2));
    expect(toasts()).toEqual([]);

    server.answer(listBuses, busList([]));
    server.answer(listSessions, { items: [], total: 0 });
    await again();
    await prefetchEndpoint(listSessions, {});
    expect(await screen.findByText('0 buses')).toBeVisible();
    server.refuse(listBuses, 'internal', 'Out of order.');
    await again();
    await waitFor(() => expect(toasts()).toEqual(['500: Out of order.']));
  });

  it('tells nothing of a lost connection: that has a bar of its own', async () => {
    server.setLink(false);
    await showPart(<Buses />);
    expect(await screen.findByText('failed with 0')).toBeVisible();
    expect(screen.queryByText(/^0:/)).not.toBeInTheDocument();
    server.setLink(true);
  });

  it('tells nothing of a refused token: that leads to sign-in, which says why', async () => {
    server.refuse(listBuses, 'unauthorized');
    server.refuse(issueTokens, 'invalid_grant');
    await showPart(<Buses />);
    expect(await screen.findByText('failed with 401')).toBeVisible();
    expect(currentToasts()).toEqual([]);
    expect(logoutReason()).toBe('token_expired');
  });

  it('tells nothing of a blocked customer either', async () => {
    server.refuse(listBuses, 'user_blocked');
    await showPart(<Buses />);
    expect(await screen.findByText('failed with 403')).toBeVisible();
    expect(currentToasts()).toEqual([]);
  });

  it('refuses an answer that is not what the contract says', async () => {
    server.answer(listBuses, { items: 'none' } as never);
    await showPart(<Buses isQuiet />);
    expect(await screen.findByText('failed with 200')).toBeVisible();
  });

  it('is asked before its screen is there, and once for all who follow it', async () => {
    server.answer(listBuses, busList([bus(1)]));
    await prefetchEndpoint(listBuses, {});
    await showPart(
      <>
        <Buses />
        <Buses />
      </>,
    );
    expect(screen.getAllByText('1 buses')).toHaveLength(2);
    expect(server.asked(listBuses)).toHaveLength(1);
  });
});

describe('a call that changes something', () => {
  it('tells its failure in a toast', async () => {
    server.refuse(changePassword, 'wrong_password');
    const { hand } = await showPart(<Password />);
    await hand.click(screen.getByRole('button', { name: 'Change' }));
    expect(await screen.findByText('400: It was refused.')).toBeVisible();
  });

  it.each([
    ['ru_RU', 'Это просмотр от чужого имени: менять ничего нельзя'],
    ['en_US', 'You view as another user: nothing can be changed'],
  ] as const)(
    'in a view as another user is refused in words of the page alone (%s)',
    async (language, said) => {
      server.refuse(changePassword, 'read_only_view', 'A view as another user changes nothing.');
      const { hand } = await showPart(<Password />, { language });
      await hand.click(screen.getByRole('button', { name: 'Change' }));
      expect(await screen.findByText(said)).toBeVisible();
      expect(screen.queryByText(/A view as another user|403/)).not.toBeInTheDocument();
    },
  );

  it('is not sent again by itself', async () => {
    server.refuse(changePassword, 'internal');
    const { hand } = await showPart(<Password />);
    await hand.click(screen.getByRole('button', { name: 'Change' }));
    await screen.findByText('500: It was refused.');
    expect(server.asked(changePassword)).toHaveLength(1);
  });
});

describe('the cache of answers', () => {
  it('keeps what was asked with other input apart', async () => {
    server.answer(me, owner);
    server.answer(listSessions, { items: [], total: 0 });
    await prefetchEndpoint(me, {});
    await prefetchEndpoint(listSessions, {});
    await waitFor(() => expect(queryClient.getQueryCache().getAll()).toHaveLength(2));
  });
});
