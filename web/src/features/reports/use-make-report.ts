import {
  MAX_OPEN_REPORTS,
  type ReportFormat,
  type ReportParameters,
} from '@ridewatch/contract/reports';
import { MAX_BUS_IDS, MAX_BUSES_OF_REPORT } from '@ridewatch/contract/stat-limits';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../core/api-error.ts';
import { errorText } from '../../i18n/error-texts.ts';
import { showToast } from '../../ui/toast-store.ts';
import { BROKEN_OFF, type MadeReport, makeReport } from './make-report.ts';
import type { ReportTexts } from './texts-ru.ts';
import { useReportText } from './use-report-text.ts';
import { refreshReports } from './use-reports.ts';

/** Why there is no report: the field that is wrong, if one is, and what is wrong. */
export interface ReportProblem {
  readonly field: 'range' | 'subjects' | undefined;
  readonly text: string;
}

/** Makes reports, one at a time; says in toasts what became of them. */
export function useMakeReport(): {
  make: (parameters: ReportParameters, format: ReportFormat) => void;
  isBusy: boolean;
  /** The outcome of the last one. */
  made: MadeReport | undefined;
  /** Why the last one failed. */
  problem: ReportProblem | undefined;
  /** Forgets the last one: what it was about has changed. */
  reset: () => void;
} {
  const text = useReportText();
  const making = useMutation({
    networkMode: 'always',
    mutationFn: ({ parameters, format }: Wanted) => makeReport(parameters, format),
    onSuccess: async (made) => {
      const { kind } = made;
      showToast({ kind: 'done', text: kind === 'saved' ? text.saved : text.requested });
      if (kind === 'requested') await refreshReports();
    },
  });
  const { error, variables } = making;
  return {
    make: (parameters, format) => making.mutate({ parameters, format }),
    isBusy: making.isPending,
    made: making.data,
    problem: error && variables ? problemOf(error, variables.parameters, text) : undefined,
    reset: making.reset,
  };
}

interface Wanted {
  parameters: ReportParameters;
  format: ReportFormat;
}

function problemOf(error: Error, parameters: ReportParameters, text: ReportTexts): ReportProblem {
  const whole = (said: string): ReportProblem => ({ field: undefined, text: said });
  if (!(error instanceof ApiError)) return whole(text.failed);
  const { field } = error;
  if (error.error === BROKEN_OFF) return whole(text.brokenOff);
  if (error.status === 0) return whole(text.notSent);
  if (error.error === 'too_many_buses') {
    const isByRoute = parameters.kind === 'passenger-traffic' && parameters.groupby === 'route';
    const most = isByRoute ? MAX_BUS_IDS : MAX_BUSES_OF_REPORT;
    return { field: 'subjects', text: text.tooManyBuses(most) };
  }
  if (error.error === 'not_found') return { field: 'subjects', text: text.foreign };
  if (error.error === 'too_large') return { field: 'range', text: text.tooLarge };
  if (error.error === 'too_many_attempts') return whole(text.tooMany(MAX_OPEN_REPORTS));
  if (field?.endsWith('groupIds'))
    return { field: 'subjects', text: text.tooManyRoutes(MAX_BUS_IDS) };
  if (field?.endsWith('from') || field?.endsWith('to'))
    return { field: 'range', text: errorText(error) };
  return whole(errorText(error));
}
