import type { LogoutReason, Me, Tokens } from '@ridewatch/contract/auth';
import { useSyncExternalStore } from 'react';
import { createStoredValue } from './stored-value.ts';

export interface SignedIn {
  access: string;
  refresh: string;
  user: Me;
  /** The facts that menus showed last; missing until they are first read. */
  menu?: MenuFacts;
}

/** The facts of the notifications that menus and the bell show. */
export interface MenuFacts {
  has_faq: boolean;
  news: { unread: number };
  unread: number;
}

interface State {
  signedIn: SignedIn | null;
  /** Why the last session ended; null while signed in. */
  reason: LogoutReason | null;
}

const state = createStoredValue<State>('ridewatch.session', (raw) =>
  isState(raw) ? raw : { signedIn: null, reason: null },
);

/** An administrator's view as another user, in this tab. Its session goes before that of the browser. */
const view = createStoredValue<SignedIn | null>(
  'ridewatch.view',
  (raw) => (isSignedIn(raw) ? raw : null),
  sessionStorage,
);

/** The session of this tab, shared by those without a view; null if nobody is signed in. */
export function currentSession(): SignedIn | null {
  return view.get() ?? state.get().signedIn;
}

/** Changes the sessions that are meant: that of the browser, and that of a view in this tab. */
function change(isMeant: (session: SignedIn) => boolean, facts: Partial<SignedIn>): void {
  const viewed = view.get();
  if (viewed && isMeant(viewed)) view.set({ ...viewed, ...facts });
  const { signedIn } = state.get();
  if (signedIn && isMeant(signedIn))
    state.set({ signedIn: { ...signedIn, ...facts }, reason: null });
}

/** The session of the user to whom tokens belong. */
const sessionOf = (tokens: Tokens, user: Me): SignedIn => ({
  ...{ access: tokens.access_token, refresh: tokens.refresh_token, user },
});

/** Starts a view as the user to whom the tokens belong. */
export function startView(tokens: Tokens, user: Me): void {
  view.set(sessionOf(tokens, user));
}

/** Starts a session of the user to whom the tokens belong. */
export function startSession(tokens: Tokens, user: Me): void {
  state.set({ signedIn: sessionOf(tokens, user), reason: null });
}

/**
 * Stores the tokens that renew a session; does nothing if that session has ended meanwhile.
 * @param used the refresh token that was exchanged: another user may be signed in by now
 */
export function renewSession(used: string, tokens: Tokens): void {
  change(({ refresh }) => refresh === used, {
    access: tokens.access_token,
    refresh: tokens.refresh_token,
  });
}

/** Stores the user as the server now describes it, if it is still signed in: its rights may have changed. */
export function updateUser(user: Me): void {
  const current = currentSession();
  if (current?.user.id !== user.id || isAlike(current.user, user)) return;
  change((session) => session === current, { user });
}

/** Stores what menus show, so that the next page begins with it. */
export function rememberMenu({ has_faq, news, unread }: MenuFacts): void {
  const menu = { has_faq, news: { unread: news.unread }, unread };
  const current = currentSession();
  if (!current || isAlike(current.menu, menu)) return;
  change((session) => session === current, { menu });
}

const isAlike = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Ends the session in every tab; that of a view in this one, which goes on with the administrator's. */
export function dropSession(reason: LogoutReason): void {
  if (view.get()) view.set(null);
  else state.set({ signedIn: null, reason });
}

/** The session; the component renders again when it changes. */
export function useSession(): SignedIn | null {
  return useSyncExternalStore(subscribeSession, currentSession);
}

/** Whether the user may edit counts, routes and prices here: in a view as another user nobody may. */
export function useMayEdit(): boolean {
  const user = useSession()?.user;
  return user?.can_edit === true && !user.viewed_by;
}

/** Why the last session ended; null while signed in, and before the first session. */
export function logoutReason(): LogoutReason | null {
  return state.get().reason;
}

/** Why the last session ended; the component renders again when it changes. */
export function useLogoutReason(): LogoutReason | null {
  return useSyncExternalStore(state.subscribe, logoutReason);
}

/** Calls the listener when the session begins, is renewed or ends, in any tab. Returns a function that unsubscribes. */
export function subscribeSession(listener: () => void): () => void {
  const ends = [state.subscribe(listener), view.subscribe(listener)];
  return () => {
    for (const end of ends) end();
  };
}

function isState(raw: unknown): raw is State {
  if (typeof raw !== 'object' || raw === null || !('signedIn' in raw)) return false;
  return raw.signedIn === null || isSignedIn(raw.signedIn);
}

function isSignedIn(raw: unknown): raw is SignedIn {
  return (
    typeof raw === 'object' && raw !== null && 'access' in raw && 'refresh' in raw && 'user' in raw
  );
}
