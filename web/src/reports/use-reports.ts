import { listReports, type ReportKind, type ReportStatus } from '@ridewatch/contract/reports';
import { keepPreviousData } from '@tanstack/react-query';
import { useEndpoint } from '../api.ts';

/** Interval while a report is in progress, ms. */
const PENDING_MS = 2_000;
/** Reports on a page (spec section 9). */
export const REPORTS_PAGE = 10;

/** Which of the user's reports. */
export interface WantedReports {
  readonly kind?: ReportKind | undefined;
  readonly status?: ReportStatus | undefined;
  /** From 0. */
  readonly page?: number;
}

/** Reads a page of the user's reports; every two seconds while one of the user's is in progress, else once. */
export function useReports({ kind, status, page = 0 }: WantedReports) {
  return useEndpoint(
    listReports,
    {
      query: {
        ...(kind && { kind }),
        ...(status && { status }),
        page: String(page),
        perPage: String(REPORTS_PAGE),
      },
    },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.in_progress ? PENDING_MS : false),
    },
  );
}
