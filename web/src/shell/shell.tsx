import { me } from '@ridewatch/contract/auth';
import { listClientRoutes } from '@ridewatch/contract/bus-routes';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useEndpoint } from '../calls/api.ts';
import { updateUser, useSession } from '../core/session.ts';
import { useIsPhone } from '../ui/breakpoints.ts';
import { DesktopEnd, DesktopTop } from './desktop-shell.tsx';
import { MobileEnd, MobileTop } from './mobile-shell.tsx';
import { NewVersion } from './new-version.tsx';
import styles from './shell.module.css';
import { Main } from './skip-link.tsx';
import { StaleBar } from './stale-bar.tsx';
import { useSessionCheck } from './use-session-check.ts';
import { ViewBar } from './view-bar.tsx';

const USER_REFRESH_MS = 60_000;

/** The layout around the screens of a signed-in user. */
export function Shell() {
  const session = useSession();
  const isPhone = useIsPhone();
  useSessionCheck();
  // The user is known since sign-in; reading it again later does not delay the first screen.
  const user = useEndpoint(
    me,
    {},
    {
      ...(session && { initialData: session.user }),
      staleTime: USER_REFRESH_MS,
      refetchInterval: USER_REFRESH_MS,
    },
  ).data;
  useEffect(() => {
    if (user) updateUser(user);
  }, [user]);
  const customerId = session?.user.client_id ?? null;
  useEndpoint(
    listClientRoutes,
    { params: { customerId: customerId ?? 0 } },
    { enabled: customerId !== null },
  );
  if (!session) return null;
  const [Top, End] = isPhone ? [MobileTop, MobileEnd] : [DesktopTop, DesktopEnd];
  return (
    <>
      {/* Another user begins with other data: a view as another user, and its end. */}
      <div key={session.user.id} className={styles.page} data-phone={isPhone || undefined}>
        <Top user={session.user} />
        {/* The screen keeps its place among the bars, and so what is typed on it, whatever the width becomes. */}
        <Main>
          <Outlet />
          <StaleBar />
          <NewVersion />
        </Main>
        <End user={session.user} />
      </div>
      <ViewBar user={session.user} />
    </>
  );
}
