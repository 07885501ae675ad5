import {
  findCalculation,
  findCalculationParts,
  saveCalculation,
} from '@ridewatch/contract/calculation';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { useEffect, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import type { Edit, Verdict } from '../../edits/edits.ts';
import { isRefused } from '../../edits/is-refused.ts';
import { isUnseen } from '../../edits/judge-save.ts';
import { useEdits } from '../../edits/use-edits.ts';
import { errorText } from '../../i18n/error-texts.ts';
import { cacheCalculation, refreshCalculated } from './cached-calculation.ts';
import { type Field, fields, isSameTyped, type Typed, typedOf } from './typed-values.ts';
import { createUnanswered } from './unanswered.ts';
import { useCalculatorText } from './use-calculator-text.ts';
import { useOthersChanges } from './use-others-changes.ts';

/** Interval at which an open calculator looks for changes of others and new events, ms. */
const REFRESH_MS = 5_000;
/** The same while money has yet to follow people, ms. */
const PENDING_MS = 500;

/**
 * The calculator of a bus's day: its figures, their parts, and the edits of its values.
 * @param first the calculation in the answer of the bus's day, until its parts are read
 * @param zone of the bus
 */
export function useCalculator(first: Calculation, zone: string) {
  const text = useCalculatorText();
  const query = { workplaceId: first.workplace_id, date: first.date };
  const parts = useEndpoint(
    findCalculationParts,
    { query },
    {
      refetchInterval: ({ state }) => (state.data?.calculation.pending ? PENDING_MS : REFRESH_MS),
      isQuiet: () => true,
    },
  );
  const read = parts.data?.calculation;
  const calculation = read ?? first;
  const [unanswered] = useState(createUnanswered);
  const save = async (batch: readonly Edit<Field, Typed>[]): Promise<void> => {
    const body = { ...query, ...unanswered.bodyOf(batch) };
    unanswered.add(batch);
    try {
      const saved = await call(saveCalculation, { body, isQuiet: isRefused });
      unanswered.end(batch);
      cacheCalculation(saved);
      refreshCalculated(saved, 'shift_start' in body);
    } catch (error) {
      if (isRefused(error)) unanswered.end(batch);
      throw error;
    }
  };
  const judge = async (error: unknown): Promise<Verdict<Field, Typed>> => {
    const reason = reasonOf(error);
    if (!isRefused(error)) return { means: 'retry', reason };
    if (!isUnseen(error)) return { means: 'keep', reason };
    try {
      const now = await call(findCalculation, { query, isQuiet: () => true });
      cacheCalculation(now);
      refreshCalculated(now, false);
      return { means: 'conflict', reason, stored: (key) => typedOf(key, now, zone) };
    } catch {
      // If the calculation cannot be read, the field shows the refusal.
      return { means: 'keep', reason };
    }
  };
  const reasonOf = (error: unknown): string => {
    if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
    if (error.status === 0) return text.noLink;
    return errorText({ error: error.error, message: error.message });
  };
  const edits = useEdits<Field, Typed>(
    {
      save,
      judge,
      isSame: isSameTyped,
      problemOf: ({ problem }) => problem,
      // The shift, say, and the driver are one save.
      together: true,
    },
    true,
  );
  useEffect(() => {
    for (const field of fields) edits.hear(field, typedOf(field, calculation, zone));
  }, [edits, calculation, zone]);
  // The strip shows what the calculator has read.
  useEffect(() => {
    if (read) cacheCalculation(read);
  }, [read]);
  const others = useOthersChanges(calculation, zone, edits);
  return { calculation, zone, parts, edits, others };
}

export type Calculator = ReturnType<typeof useCalculator>;
