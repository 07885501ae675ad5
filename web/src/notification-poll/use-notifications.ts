import {
  CALM_POLL_MS,
  findNotifications,
  type Notifications,
  PENDING_POLL_MS,
} from '@ridewatch/contract/notifications';
import { changeCached, queryClient, useEndpoint } from '../calls/api.ts';
import { type MenuFacts, useSession } from '../core/session.ts';
import { isDownloading } from './downloads.ts';

/**
 * Reads what the panel, the bell and the menu show: the one poll for all of it, every two seconds while something is
 * pending, else every 30; none while the tab is hidden.
 * @param enabled false: takes what another component reads
 */
export function useNotifications(enabled = true) {
  return useEndpoint(
    findNotifications,
    {},
    {
      enabled,
      refetchInterval: ({ state }) => (isPending(state.data) ? PENDING_POLL_MS : CALM_POLL_MS),
    },
  );
}

/** Gives what menus show: of the last answer, and before the first one what the session remembers. */
export function useMenuFacts(): MenuFacts | undefined {
  const session = useSession();
  return useNotifications(false).data ?? session?.menu;
}

function isPending(known: Notifications | undefined): boolean {
  return (
    known !== undefined &&
    (known.pending ||
      known.merges.items.some(({ id, status }) => status === 'COMPLETE' && isDownloading(id)))
  );
}

/** Reads them again, after a command that changes them. */
export function refreshNotifications(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [findNotifications.path] });
}

/** Changes what is shown until the next answer. */
export function changeNotifications(change: (before: Notifications) => Notifications): void {
  changeCached(findNotifications, {}, change);
}
