import type { Me } from '@ridewatch/contract/auth';
import { listBuses } from '@ridewatch/contract/buses';
import { updateRouteFromFile } from '@ridewatch/contract/routes';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const user: Me = {
  id: 1,
  login: 'owner',
  role: 'CUSTOMER',
  client_id: 1,
  integrator_clients: [],
  name: null,
  surname: null,
  status: 1,
  enabled: true,
  can_edit: false,
  must_set_up_second_factor: false,
  viewed_by: null,
  viewed_until: null,
  advanced_report: false,
  advanced_report_clients: [],
  company: { name: 'Ridewatch', support_email: 'help@example.org' },
};
const tokens = (access: string) => ({
  access_token: access,
  refresh_token: `refresh-${access}`,
  token_type: 'bearer' as const,
  expires_in: 900,
});
const list = { items: [], number: 0, total: 0, customers: [] };
const answer = (status: number, body: unknown) => Response.json(body, { status });
const refused = (error: string, status = 400) => answer(status, { error, message: error });

/** A server that accepts one access token and answers refreshes as told. */
function serve(good: string, refresh: () => Response) {
  const seen = { refreshes: 0, calls: 0 };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address === '/oauth/token') {
      seen.refreshes++;
      return refresh();
    }
    seen.calls++;
    const bearer = new Headers(init.headers).get('authorization');
    return bearer === `Bearer ${good}` ? answer(200, list) : refused('unauthorized', 401);
  });
  return seen;
}

async function fresh() {
  const session = await import('../core/session.ts');
  const request = await import('./request.ts');
  session.startSession(tokens('old'), user);
  return { ...session, ...request };
}

beforeEach(() => {
  // Timers of messages and of further attempts end with a page.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.resetModules();
  const items = new Map<string, string>();
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  });
  vi.stubGlobal('window', { addEventListener: () => undefined });
});
afterEach(async () => {
  // A failure is told by code that is loaded then.
  await vi.dynamicImportSettled();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a call with an expired token', () => {
  it('is renewed once for all calls that wait and tried again', async () => {
    const app = await fresh();
    const seen = serve('new', () => answer(200, tokens('new')));
    const answers = await Promise.all([1, 2, 3].map(() => app.call(listBuses, {})));
    expect(answers).toEqual([list, list, list]);
    expect(seen).toEqual({ refreshes: 1, calls: 6 });
  });

  it('ends the session when the refresh is refused', async () => {
    const app = await fresh();
    serve('new', () => refused('invalid_grant'));
    await expect(app.call(listBuses, {})).rejects.toMatchObject({ status: 401 });
    expect(app.currentSession()).toBeNull();
  });

  it.each(['user_blocked', 'user_inactive', 'token_expired', 'session_ended'] as const)(
    'ends the session for the reason %s of the refresh',
    async (reason) => {
      const app = await fresh();
      serve('new', () => refused(reason, reason === 'user_blocked' ? 403 : 401));
      await expect(app.call(listBuses, {})).rejects.toMatchObject({ status: 401 });
      expect([app.currentSession(), app.logoutReason()]).toEqual([null, reason]);
    },
  );

  it('ends the session as expired when the refresh is refused for any other reason', async () => {
    const app = await fresh();
    serve('new', () => refused('too_many_attempts', 429));
    await expect(app.call(listBuses, {})).rejects.toMatchObject({ status: 401 });
    expect(app.logoutReason()).toBe('token_expired');
  });

  it('keeps the session when the server is in trouble', async () => {
    const app = await fresh();
    serve('new', () => refused('internal', 500));
    await expect(app.call(listBuses, {})).rejects.toMatchObject({ status: 500 });
    expect(app.currentSession()?.access).toBe('old');
  });

  it('keeps the session when nobody answers', async () => {
    const app = await fresh();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(app.call(listBuses, {})).rejects.toMatchObject({ status: 0, error: 'network' });
    expect(app.currentSession()?.access).toBe('old');
  });
});

describe('a session that is renewed while another begins', () => {
  /** A server that answers the renewal when told, and knows the renewed token alone. */
  function serveSlowly() {
    let give: (response: Response) => void = () => undefined;
    const renewal = new Promise<Response>((resolve) => {
      give = resolve;
    });
    const sent: string[] = [];
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      const bearer = new Headers(init.headers).get('authorization') ?? 'nobody';
      sent.push(address === '/oauth/token' ? 'renewal' : bearer);
      if (address === '/oauth/token') return renewal;
      return bearer === 'Bearer new' ? answer(200, list) : refused('unauthorized', 401);
    });
    return { sent, renew: () => give(answer(200, tokens('new'))) };
  }
  const another: Me = { ...user, id: 2, login: 'another' };

  it('gives its tokens to no other user, and its call is not sent as that user', async () => {
    const app = await fresh();
    const { sent, renew } = serveSlowly();
    const asked = app.call(listBuses, {});
    await vi.waitFor(() => expect(sent).toEqual(['Bearer old', 'renewal']));
    app.dropSession('user_command');
    app.startSession(tokens('other'), another);
    renew();
    await expect(asked).rejects.toMatchObject({ status: 401 });
    expect(sent).toEqual(['Bearer old', 'renewal']);
    expect(app.currentSession()).toMatchObject({ access: 'other', user: another });
  });

  it('is renewed below a view as another user', async () => {
    const app = await fresh();
    const { sent, renew } = serveSlowly();
    const asked = app.call(listBuses, {});
    await vi.waitFor(() => expect(sent).toEqual(['Bearer old', 'renewal']));
    app.startView(tokens('view'), another);
    renew();
    await expect(asked).rejects.toMatchObject({ status: 401 });
    expect(app.currentSession()).toMatchObject({ access: 'view', user: another });
    app.dropSession('user_command');
    expect(app.currentSession()).toMatchObject({ access: 'new', user });
  });
});

describe('a session that is ended with an expired token', () => {
  it('ends on the server, too', async () => {
    const app = await fresh();
    const ended: (string | null)[] = [];
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      if (address === '/oauth/token') return answer(200, tokens('new'));
      expect(address).toBe('/api/auth/logout');
      ended.push(new Headers(init.headers).get('authorization'));
      return ended.length > 1 ? new Response(null, { status: 204 }) : refused('unauthorized', 401);
    });
    const { signOut } = await import('./sign-out.ts');
    signOut();
    expect(app.currentSession()).toBeNull();
    await vi.waitFor(() => expect(ended).toEqual(['Bearer old', 'Bearer new']));
    expect(app.currentSession()).toBeNull();
  });
});

describe('a call of a blocked customer', () => {
  it('ends the session at once, and says why', async () => {
    const app = await fresh();
    vi.stubGlobal('fetch', async () => refused('user_blocked', 403));
    await expect(app.call(listBuses, {})).rejects.toMatchObject({ status: 403 });
    expect([app.currentSession(), app.logoutReason()]).toEqual([null, 'user_blocked']);
  });

  it('that lacks a right ends nothing', async () => {
    const app = await fresh();
    vi.stubGlobal('fetch', async () => refused('no_right', 403));
    await expect(app.call(listBuses, {})).rejects.toMatchObject({ status: 403 });
    expect(app.currentSession()).not.toBeNull();
  });
});

describe('a call with a file', () => {
  it('sends it as a form, with the other fields as text', async () => {
    const app = await fresh();
    const sent: RequestInit[] = [];
    vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
      sent.push(init);
      return refused('no_right', 403);
    });
    const file = new File(['<gpx/>'], 'Маршрут 7.gpx');
    const body = { file, groupId: 7, choice: undefined };
    await expect(app.call(updateRouteFromFile, { body })).rejects.toMatchObject({ status: 403 });
    const form = sent[0]?.body as FormData;
    expect([...form.keys()]).toEqual(['file', 'groupId']);
    expect([form.get('groupId'), (form.get('file') as File).name]).toEqual(['7', 'Маршрут 7.gpx']);
    // The browser sets the type, because only it knows the boundary.
    expect(new Headers(sent[0]?.headers).get('content-type')).toBeNull();
  });
});
