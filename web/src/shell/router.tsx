import {
  OPENID_PAGE,
  PASSWORD_PAGE,
  SECOND_FACTOR_PAGE,
  SETUP_PAGE,
} from '@ridewatch/contract/paths';
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  useMatches,
} from '@tanstack/react-router';
import { pageAddress } from '../bus-page/address.ts';
import { type AddressKeys, readSearch, readTexts } from '../core/address.ts';
import {
  destinationOr,
  forgetDestination,
  keptDestinationOr,
  rememberDestination,
} from '../core/after-sign-in.ts';
import { lazyComponent } from '../core/lazy-component.tsx';
import {
  currentSession,
  logoutReason,
  type SignedIn,
  subscribeSession,
  useSession,
} from '../core/session.ts';
import { programPages } from '../features/help/address.ts';
import type { OpenidAddress } from '../features/login/address.ts';
import { Crash, NotLoaded } from './crash.tsx';
import { Frame } from './frame.tsx';
import { pagePaths, type ScreenPath, tabPaths } from './paths.ts';

const rootRoute = createRootRoute({ component: Frame });

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  beforeLoad: () => {
    // The form of this tab takes the target itself, and may do so after this.
    if (currentSession()) throw redirect({ ...keptDestinationOr('/'), replace: true });
  },
  component: lazyComponent(
    async () => (await import('../features/login/login-screen.tsx')).LoginScreen,
    NotLoaded,
  ),
});

const newPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: PASSWORD_PAGE,
  component: lazyComponent(
    async () => (await import('../features/login/new-password-screen.tsx')).NewPasswordScreen,
    NotLoaded,
  ),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SETUP_PAGE,
  component: lazyComponent(
    async () => (await import('../features/login/setup-screen.tsx')).SetupScreen,
    NotLoaded,
  ),
});

const openidRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: OPENID_PAGE,
  // The provider's answer stays as it is: the server reads it.
  validateSearch: readTexts<OpenidAddress>,
  beforeLoad: () => {
    if (currentSession()) throw redirect({ ...keptDestinationOr('/'), replace: true });
  },
  component: lazyComponent(
    async () => (await import('../features/login/openid-screen.tsx')).OpenidScreen,
    NotLoaded,
  ),
});

const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SECOND_FACTOR_PAGE,
  beforeLoad: () => {
    if (!currentSession()) throw redirect({ to: '/login', replace: true });
    if (!mustSetUp()) throw redirect({ ...destinationOr('/'), replace: true });
  },
  component: lazyComponent(
    async () => (await import('../features/account/second-factor-screen.tsx')).SecondFactorScreen,
    NotLoaded,
  ),
});

const Shell = lazyComponent(async () => (await import('./shell.tsx')).Shell, NotLoaded);
const GuestShell = lazyComponent(
  async () => (await import('./guest-shell.tsx')).GuestShell,
  NotLoaded,
);

/** The layout around the screens, and around the guide before sign-in. */
function Surroundings() {
  const isGuide = useMatches({ select: (matches) => isOfGuide(matches.at(-1)?.pathname ?? '') });
  const isOpen = isReady(useSession());
  return isGuide && !isOpen ? <GuestShell /> : <Shell />;
}

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    const session = currentSession();
    if (isReady(session) || isOfGuide(location.pathname)) return;
    rememberDestination(location.href);
    throw redirect({ to: session ? SECOND_FACTOR_PAGE : '/login', replace: true });
  },
  component: Object.assign(Surroundings, {
    preload: () => (isReady(currentSession()) ? Shell : GuestShell).preload(),
  }),
});

const busRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'bus',
  validateSearch: (address) => readSearch(pageAddress, address),
  component: lazyComponent(async () => (await loadScreens()).loadBusPage(), NotLoaded),
});

const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ ...destinationOr('/buses'), replace: true });
  },
});

/** Makes the router: sign-in, and the table of screens behind it. */
export function createAppRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([
      loginRoute,
      newPasswordRoute,
      setupRoute,
      secondFactorRoute,
      openidRoute,
      signedInRoute.addChildren([
        ...routesOf(pagePaths, signedInRoute),
        busRoute.addChildren(routesOf(tabPaths, busRoute)),
      ]),
      unknownRoute,
    ]),
    scrollRestoration: true,
    search: { strict: true },
    defaultPreload: 'intent',
    defaultErrorComponent: Crash,
    // Values are plain text: a bus called 007 stays 007. Empty values are left out.
    parseSearch: (text) =>
      Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value)),
    stringifySearch: (search) => {
      const pairs = new URLSearchParams();
      for (const [key, value] of Object.entries(search)) {
        if (value !== undefined && value !== '') pairs.set(key, String(value));
      }
      const text = pairs.toString();
      return text ? `?${text}` : '';
    },
  });
}

/**
 * Leaves the protected screens as soon as the session ends, and the sign-in screen as soon as a session begins, here or
 * in another tab.
 * @returns a function that stops this
 */
export function followSession(router: ReturnType<typeof createAppRouter>): () => void {
  let wasSignedIn = currentSession() !== null;
  let hadToSetUp = mustSetUp();
  return subscribeSession(() => {
    const isSignedIn = currentSession() !== null;
    const hasToSetUp = mustSetUp();
    if (isSignedIn && hasToSetUp && !hadToSetUp) void router.invalidate();
    hadToSetUp = hasToSetUp;
    if (isSignedIn !== wasSignedIn) {
      // After a sign-out, do not return to the same screen: the next user may be somebody else.
      // A form with unsaved changes is gone with the session, and could not ask any more.
      const leave = { to: '/login', replace: true, ignoreBlocker: true } as const;
      if (logoutReason() === 'user_command') void router.navigate(leave);
      else void router.invalidate().then(isSignedIn && !hasToSetUp ? forgetDestination : undefined);
    }
    wasSignedIn = isSignedIn;
  });
}

/** Whether a session opens the screens. */
function isReady(session: SignedIn | null): boolean {
  return session !== null && !session.user.must_set_up_second_factor;
}

/** Whether a path is of the guide, which everybody may read, also before sign-in. */
function isOfGuide(path: string): boolean {
  const [, room, page] = path.split('/');
  return room === 'help' && !programPages.some((one) => one === page);
}

function mustSetUp(): boolean {
  return currentSession()?.user.must_set_up_second_factor === true;
}

// The table of screens and their code load after sign-in.
const loadScreens = () => import('./screens.tsx');

function routeOf<Path extends string, Keys extends AddressKeys, Parent extends AnyRoute>(
  { path }: ScreenPath<Path, Keys>,
  parent: Parent,
) {
  return createRoute({
    getParentRoute: () => parent,
    path,
    validateSearch: readTexts<Keys>,
    // A query has only the keys of its screen, which are known after sign-in.
    beforeLoad: async ({ search, location }) => {
      const own = (await loadScreens()).readOwn(path, search);
      if (Object.keys(own).length === Object.keys(search).length) return;
      throw redirect({ to: location.pathname, search: own, replace: true });
    },
    component: lazyComponent(async () => (await loadScreens()).screenOf(path).load(), NotLoaded),
    // Prefetch once; afterwards the screen refreshes its data itself.
    loader: async ({ location: { search } }) =>
      (await loadScreens()).screenOf(path).prepare?.(search),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

type Paths = readonly ScreenPath<string, AddressKeys>[];
type RoutesOf<Rows extends Paths, Parent extends AnyRoute> = {
  [Index in keyof Rows]: Rows[Index] extends ScreenPath<infer Path, infer Keys>
    ? ReturnType<typeof routeOf<Path, Keys, Parent>>
    : never;
};

// The mapped tuple keeps the literal path of each row, so that the compiler checks every link.
function routesOf<const Rows extends Paths, Parent extends AnyRoute>(rows: Rows, parent: Parent) {
  return rows.map((row) => routeOf(row, parent)) as RoutesOf<Rows, Parent>;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
