import { addDays } from '@ridewatch/contract/day';
import { MAX_STAT_DAYS } from '@ridewatch/contract/stat-limits';
import type { ReportTexts } from './texts-ru.ts';

/** The values of a report's form; undefined until they are chosen. */
export interface FormValues {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly ids: ReadonlySet<number>;
}

/** The problem of each field. */
export interface FormProblems {
  readonly from?: string;
  readonly to?: string;
  readonly ids?: string;
}

/**
 * Checks a report's form (specification, section 5).
 * @param limits whether at least one id is required, the most ids, and the message for more of them
 */
export function formProblems(
  { from, to, ids }: FormValues,
  limits: { readonly isRequired: boolean; readonly most: number; readonly tooMany: string },
  text: ReportTexts,
): FormProblems {
  const { required } = text;
  return {
    ...(from === undefined && { from: required }),
    ...(to === undefined && { to: required }),
    ...(from !== undefined && to !== undefined && rangeProblem(from, to, text)),
    ...(limits.isRequired && ids.size === 0 && { ids: required }),
    ...(ids.size > limits.most && { ids: limits.tooMany }),
  };
}

function rangeProblem(from: string, to: string, text: ReportTexts): FormProblems {
  if (to < from) return { to: text.wrongOrder };
  return to >= addDays(from, MAX_STAT_DAYS) ? { to: text.tooManyDays } : {};
}
