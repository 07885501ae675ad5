import { type Me, me } from '@ridewatch/contract/auth';
import { listBoard } from '@ridewatch/contract/board';
import { listClientRoutes } from '@ridewatch/contract/bus-routes';
import { listActiveMessages } from '@ridewatch/contract/news';
import { findNotifications } from '@ridewatch/contract/notifications';
import { listRoutePatterns } from '@ridewatch/contract/route-patterns';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { queryClient } from '../calls/api.ts';
import { forgetFailures } from '../calls/error-toasts.ts';
import { markConnected } from '../core/connection.ts';
import { dropSession, startSession } from '../core/session.ts';
import { type Language, setLanguage } from '../i18n/language.ts';
import { createAppRouter, followSession } from '../shell/router.tsx';
import { closeToast, currentToasts } from '../ui/toast-store.ts';
import { resizeTo } from './browser.ts';
import { owner, page } from './made.ts';
import { board } from './made-board.ts';
import { notifications } from './made-notifications.ts';
import { onlyPattern } from './made-patterns.ts';
import { type FakeServer, startServer } from './server.ts';

interface Opening {
  /** The signed-in user; null for none. */
  user?: Me | null;
  device?: 'phone' | 'desktop' | 'wide';
  language?: Language;
  /** The page is loaded again: the session stays as it is stored. */
  isReload?: boolean;
}

/** Closes the screen that was opened last. */
let close = nothing;

/**
 * Starts a fake server with only the answers that every signed-in screen needs, and cleans up after the previous test.
 * Call it before each test.
 */
export function freshServer(): FakeServer {
  cleanup();
  close();
  queryClient.clear();
  localStorage.clear();
  sessionStorage.clear();
  // Makes stored values read local storage again.
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
  for (const { id } of currentToasts()) closeToast(id);
  forgetFailures();
  markConnected();
  const server = startServer();
  server.answer(listClientRoutes, page([]));
  server.answer(listActiveMessages, page([]));
  server.answer(findNotifications, notifications());
  server.answer(listBoard, board([]));
  server.answer(listRoutePatterns, { ...page([onlyPattern()]), stops: [] });
  return server;
}

/** Opens a screen by its address. */
export async function openScreen(server: FakeServer, address: string, opening: Opening = {}) {
  const { user = owner, device = 'desktop', language = 'en_US', isReload } = opening;
  resizeTo(device);
  await setLanguage(language);
  close();
  // The next user must not see the answers of the last one.
  queryClient.clear();
  if (user) {
    server.answer(me, user);
    if (!isReload) startSession(tokens, user);
  } else {
    dropSession('user_command');
  }
  history.replaceState(null, '', address);
  const router = createAppRouter();
  const leave = followSession(router);
  close = () => {
    close = nothing;
    leave();
    router.history.destroy();
  };
  await router.load();
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...view, hand: userEvent.setup({ delay: null }), address: () => location.href };
}

/** Renders a component by itself, with a signed-in user. */
export async function showPart(part: ReactNode, opening: Opening = {}) {
  const { user = owner, device = 'desktop', language = 'en_US' } = opening;
  resizeTo(device);
  await setLanguage(language);
  if (user) startSession(tokens, user);
  const whole = (inner: ReactNode) => (
    <QueryClientProvider client={queryClient}>{inner}</QueryClientProvider>
  );
  const view = render(whole(part));
  return {
    ...view,
    hand: userEvent.setup({ delay: null }),
    showAgain: (next: ReactNode) => view.rerender(whole(next)),
  };
}

const tokens = {
  access_token: 'access',
  refresh_token: 'refresh',
  token_type: 'bearer' as const,
  expires_in: 900,
};

function nothing(): void {}
