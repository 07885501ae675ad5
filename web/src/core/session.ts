import type { LogoutReason, Me, Tokens } from '@ridewatch/contract/auth';
import { useSyncExternalStore } from 'react';
import { createStoredValue } from './stored-value.ts';

export interface SignedIn {
  access: string;
  refresh: string;
  user: Me;
  /** What menus last showed of the notifications; missing until they are first read. */
  menu?: MenuFacts;
}

/** What menus and the bell show of the notifications. */
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

/** The session of this browser, shared by its tabs; null if nobody is signed in. */
export function currentSession(): SignedIn | null {
  return state.get().signedIn;
}

/** Starts a session of the user to whom the tokens belong. */
export function startSession(tokens: Tokens, user: Me): void {
  state.set({
    signedIn: { access: tokens.access_token, refresh: tokens.refresh_token, user },
    reason: null,
  });
}

/** Stores renewed tokens; does nothing if the user signed out meanwhile. */
export function renewSession(tokens: Tokens): void {
  const { signedIn } = state.get();
  if (!signedIn) return;
  state.set({
    signedIn: { ...signedIn, access: tokens.access_token, refresh: tokens.refresh_token },
    reason: null,
  });
}

/** Stores the user as the server now describes it: the user's rights may have changed. */
export function updateUser(user: Me): void {
  const { signedIn } = state.get();
  if (!signedIn || JSON.stringify(signedIn.user) === JSON.stringify(user)) return;
  state.set({ signedIn: { ...signedIn, user }, reason: null });
}

/** Stores what menus show, so that the next page begins with it. */
export function rememberMenu({ has_faq, news, unread }: MenuFacts): void {
  const menu = { has_faq, news: { unread: news.unread }, unread };
  const { signedIn } = state.get();
  if (!signedIn || JSON.stringify(signedIn.menu) === JSON.stringify(menu)) return;
  state.set({ signedIn: { ...signedIn, menu }, reason: null });
}

/** Ends the session in every tab. */
export function dropSession(reason: LogoutReason): void {
  state.set({ signedIn: null, reason });
}

/** The session; the component renders again when it changes. */
export function useSession(): SignedIn | null {
  return useSyncExternalStore(state.subscribe, currentSession);
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
export const subscribeSession = state.subscribe;

function isState(raw: unknown): raw is State {
  if (typeof raw !== 'object' || raw === null || !('signedIn' in raw)) return false;
  const signedIn = raw.signedIn;
  return (
    signedIn === null ||
    (typeof signedIn === 'object' &&
      'access' in signedIn &&
      'refresh' in signedIn &&
      'user' in signedIn)
  );
}
