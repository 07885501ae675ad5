import {
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
  redirect,
} from '@tanstack/react-router';
import { readBusSearch } from './bus-address.ts';
import { later } from './later.tsx';
import { loaderOf, screens } from './screens.tsx';
import { currentSession, logoutReason, subscribeSession } from './session.ts';
import { Crash, NotLoaded } from './shell/crash.tsx';
import { Frame } from './shell/frame.tsx';
import { rememberTarget, targetOr } from './target.ts';

const rootRoute = createRootRoute({ component: Frame });

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  beforeLoad: () => {
    if (currentSession()) throw redirect({ to: '/', replace: true });
  },
  component: later(
    async () => (await import('./features/login/login-screen.tsx')).LoginScreen,
    NotLoaded,
  ),
});

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    if (currentSession()) return;
    rememberTarget(location.href);
    throw redirect({ to: '/login', replace: true });
  },
  component: later(async () => (await import('./shell/shell.tsx')).Shell, NotLoaded),
});

const readListSearch = (raw: Record<string, unknown>): { q?: string } =>
  typeof raw.q === 'string' && raw.q ? { q: raw.q } : {};

// Once: afterwards the screen itself keeps the list fresh.
const listFirst = {
  loader: async () => (await import('./buses/list-soon.ts')).listSoon(),
  staleTime: Number.POSITIVE_INFINITY,
};

const homeRoute = createRoute({
  ...listFirst,
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: readListSearch,
  component: screenAt('/buses'),
});

const busListRoute = createRoute({
  ...listFirst,
  getParentRoute: () => signedInRoute,
  path: '/buses',
  validateSearch: readListSearch,
  component: screenAt('/buses'),
});

const reviewRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/review',
  validateSearch: readBusSearch,
  component: screenAt('/review'),
});

const busRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/bus/$busId',
  validateSearch: readBusSearch,
  component: later(async () => (await import('./bus-page/bus-page.tsx')).BusPage, NotLoaded),
});

const countRoute = createRoute({
  getParentRoute: () => busRoute,
  path: '/',
  component: screenAt('/bus/$busId'),
});

const gpsRoute = createRoute({
  getParentRoute: () => busRoute,
  path: 'gps',
  component: screenAt('/bus/$busId/gps'),
});

const routeRoute = createRoute({
  getParentRoute: () => busRoute,
  path: 'route',
  component: screenAt('/bus/$busId/route'),
});

const serviceRoute = createRoute({
  getParentRoute: () => busRoute,
  path: 'service',
  component: screenAt('/bus/$busId/service'),
});

const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ ...targetOr('/buses'), replace: true });
  },
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    loginRoute,
    signedInRoute.addChildren([
      homeRoute,
      busListRoute,
      reviewRoute,
      busRoute.addChildren([countRoute, gpsRoute, routeRoute, serviceRoute]),
    ]),
    unknownRoute,
  ]),
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: Crash,
  // Plain text values: a bus called 007 stays 007 in the address.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const pairs = new URLSearchParams();
    for (const [key, value] of Object.entries(search)) {
      if (value !== undefined && value !== '') pairs.set(key, String(value));
    }
    const text = pairs.toString();
    return text ? `?${text}` : '';
  },
});

// A session that ends, here or in another tab, leaves the protected screens at once.
let wasSignedIn = currentSession() !== null;
subscribeSession(() => {
  const isSignedIn = currentSession() !== null;
  if (isSignedIn !== wasSignedIn) {
    // Who left by will is not brought back to where they were: the next one may be somebody else.
    if (logoutReason() === 'user_command') void router.navigate({ to: '/login', replace: true });
    else void router.invalidate();
  }
  wasSignedIn = isSignedIn;
});

function screenAt(path: string) {
  const screen = screens.find((one) => one.path === path);
  const load = screen && loaderOf(screen);
  return load ? later(load, NotLoaded) : ToList;
}

// A screen that this build does not have is an unknown path.
function ToList() {
  return <Navigate to="/buses" replace />;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
