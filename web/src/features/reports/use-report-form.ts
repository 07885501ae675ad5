import type { ReportFormat } from '@ridewatch/contract/reports';
import { useMemo } from 'react';
import type { Search } from '../../core/address.ts';
import { useAddress, useNewestSearch } from '../../page/use-address.ts';
import { pageKey, pageOf } from '../../ui/page-key.ts';
import type { ReportFormAddress } from './address.ts';
import type { FormValues } from './form-problems.ts';

interface ReportFormState extends FormValues {
  readonly format: ReportFormat;
  /** Page of the list below the form, from 0. */
  readonly page: number;
  change: (next: {
    readonly from?: string;
    readonly to?: string;
    readonly ids?: ReadonlySet<number>;
    readonly format?: ReportFormat;
    readonly page?: number;
  }) => void;
}

/** The values of a report's form, which the address holds. */
export function useReportForm(): ReportFormState {
  const { note } = useAddress<ReportFormAddress>();
  // The button may be pressed before the router has rendered the last choice.
  const { from, to, ids: named = '', format: wanted, page: shown } = readKeys(useNewestSearch());
  const ids = useMemo(() => new Set(named.split(',').filter(isId).map(Number)), [named]);
  return {
    from: dayIn(from),
    to: dayIn(to),
    ids,
    format: wanted === 'csv' ? 'csv' : 'xlsx',
    page: pageOf(shown),
    change: ({ ids: chosen, format, page, ...days }) =>
      note({
        ...days,
        ...(chosen && { ids: chosen.size === 0 ? undefined : [...chosen].join(',') }),
        ...(format && { format: format === 'csv' ? format : undefined }),
        ...(page !== undefined && { page: pageKey(page) }),
      }),
  };
}

const readKeys = (search: URLSearchParams): Search<ReportFormAddress> => Object.fromEntries(search);

const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

/** A day of an address; undefined unless the calendar has it. */
function dayIn(text: string | undefined): string | undefined {
  if (text === undefined || !/^20\d\d-\d\d-\d\d$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
  return isReal ? text : undefined;
}
