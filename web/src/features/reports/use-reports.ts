import { listReports, type ReportKind, type ReportStatus } from '@ridewatch/contract/reports';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient, useEndpoint } from '../../calls/api.ts';
import {
  refreshNotifications,
  useNotifications,
} from '../../notification-poll/use-notifications.ts';

/** Reports on a page (spec section 9). */
export const REPORTS_PAGE = 10;

/** The wanted reports of the user. */
export interface WantedReports {
  readonly kind?: ReportKind | undefined;
  readonly status?: ReportStatus | undefined;
  /** From 0. */
  readonly page?: number;
}

/**
 * Reads a page of the user's reports. While one of the user's is in progress, the poll of the notifications brings the
 * progress, and when one has ended, the page is read again.
 */
export function useReports({ kind, status, page = 0 }: WantedReports) {
  const list = useEndpoint(
    listReports,
    {
      query: {
        ...(kind && { kind }),
        ...(status && { status }),
        page: String(page),
        perPage: String(REPORTS_PAGE),
      },
    },
    { placeholderData: keepPreviousData },
  );
  const { data, refetch } = list;
  const open = data?.in_progress;
  const live = useNotifications(!!open).data?.reports;
  const hasEnded = !!open && !!live && live.in_progress !== open;
  useEffect(() => {
    if (hasEnded) void refetch();
  }, [hasEnded, refetch]);
  if (!open || !live) return list;
  const items = data.items.map((one) =>
    one.status === 'PROCESS' ? (live.items.find(({ id }) => id === one.id) ?? one) : one,
  );
  return { ...list, data: { ...data, items } };
}

/** Reads the reports again, after a command that changes them; the poll of the notifications, too. */
export function refreshReports(): Promise<void> {
  void refreshNotifications();
  return queryClient.invalidateQueries({ queryKey: [listReports.path] });
}
