import {
  exportAdvancedReport,
  exportBusLoad,
  exportPassengerTraffic,
  exportTariffCalc,
  exportTest,
  exportWorkplacesReport,
} from '@ridewatch/contract/report-exports';
import {
  estimateReport,
  type Report,
  type ReportFormat,
  type ReportParameters,
  reportTypes,
  requestReport,
} from '@ridewatch/contract/reports';
import { call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { save } from './save-file.ts';

/** The code of a file that ended before its last byte. */
export const BROKEN_OFF = 'broken_off';

/** The outcome of a wish for a report: a file that the browser saves, or a report that a job makes. */
export type MadeReport =
  | { readonly kind: 'saved' }
  | { readonly kind: 'requested'; readonly report: Report };

/**
 * Downloads a report at once, or requests it if it has more rows than MAX_ROWS_AT_ONCE. The language is that of the page.
 * @throws ApiError
 */
export async function makeReport(
  parameters: ReportParameters,
  format: ReportFormat,
): Promise<MadeReport> {
  const language = currentLanguage();
  const { is_long } = await call(estimateReport, { body: { parameters } });
  if (is_long) {
    const report = await call(requestReport, { body: { parameters, format, language } });
    return { kind: 'requested', report };
  }
  let answer: Response | undefined;
  const transport = async (address: string, { headers, ...init }: RequestInit) => {
    const accepting = new Headers(headers);
    accepting.set('accept', reportTypes[format]);
    answer = await fetch(address, { ...init, headers: accepting });
    return answer;
  };
  await callExport(parameters, { language, transport });
  if (answer) await saveAnswer(answer, `${parameters.kind}.${format}`);
  return { kind: 'saved' };
}

interface Manner {
  language: ReturnType<typeof currentLanguage>;
  transport: (address: string, init: RequestInit) => Promise<Response>;
}

function callExport(parameters: ReportParameters, { language, transport }: Manner): Promise<void> {
  const { kind, from, to } = parameters;
  const range = { from, to, language };
  if (kind === 'advanced-report') {
    const groupIds = parameters.groupIds.map(String);
    return call(exportAdvancedReport, { query: { ...range, groupIds }, transport });
  }
  const workplaceIds = parameters.workplaceIds?.map(String);
  const query = { ...range, ...(workplaceIds && { workplaceIds }) };
  if (kind === 'passenger-traffic') {
    const { groupby, tick, dayOfWeek } = parameters;
    const days = dayOfWeek?.map(String);
    const grouped = { groupby, ...(tick && { tick }), ...(days && { dayOfWeek: days }) };
    return call(exportPassengerTraffic, { query: { ...query, ...grouped }, transport });
  }
  return call(byBuses[kind], { query, transport });
}

const byBuses = {
  'tariff-calc': exportTariffCalc,
  'workplaces-report': exportWorkplacesReport,
  'bus-load': exportBusLoad,
  'test-export': exportTest,
} as const;

/** Saves the file of an answer under the name that the server gave it. @throws ApiError if it broke off */
export async function saveAnswer(answer: Response, otherwise: string): Promise<void> {
  let file: Blob;
  try {
    file = await answer.blob();
  } catch (cause) {
    // The server broke the file off, or the connection did.
    throw new ApiError(0, BROKEN_OFF, cause instanceof Error ? cause.message : 'Network Error', {
      cause,
    });
  }
  const address = URL.createObjectURL(file);
  save(address, sentFileName(answer) ?? otherwise);
  // By then the browser has started to read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function sentFileName(answer: Response): string | undefined {
  const escaped = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '');
  return escaped?.[1] === undefined ? undefined : decodeURIComponent(escaped[1]);
}
