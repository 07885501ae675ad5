import {
  findCalculation,
  findCalculationParts,
  saveCalculation,
} from '@ridewatch/contract/calculation';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { useSession } from '../../core/session.ts';
import type { Edit, Verdict } from '../../edits/edits.ts';
import { isRefused } from '../../edits/is-refused.ts';
import { useEdits } from '../../edits/use-edits.ts';
import { errorText } from '../../i18n/error-texts.ts';
import { cacheCalculation, refreshCalculated } from './cached-calculation.ts';
import {
  type Field,
  fields,
  isSameTyped,
  type SentValues,
  type Typed,
  typedOf,
} from './typed-values.ts';
import { useCalculatorText } from './use-calculator-text.ts';

/** Interval at which an open calculator looks for changes of others and new events, ms. */
const REFRESH_MS = 5_000;
/** The same while money has yet to follow people, ms. */
const PENDING_MS = 500;
/** Saves of a value over changes of other values, until it counts as a conflict. */
const MOST_TRIES = 5;

/** A value that somebody else changed while the calculator was open. */
export interface OthersChange {
  readonly by: string | null;
  /** The value before it. */
  readonly before: Typed;
}

/**
 * The calculator of a bus's day: its figures, their parts, and the edits of its values.
 * @param first the calculation in the answer of the bus's day
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
  // Whichever answer is newer.
  const calculation = read && read.version >= first.version ? read : first;
  const { others, note, forget } = useOthersChanges(zone);
  const newest = useRef(calculation);
  /** Takes a newer calculation, and notes what others changed in it. */
  const take = (next: Calculation): void => {
    const before = newest.current;
    if (next.version > before.version) note(before, next);
    if (next.version >= before.version) newest.current = next;
  };
  useLayoutEffect(() => {
    take(calculation);
  });

  /** The values of the save under way. */
  const underWay = useRef<SentValues>(undefined);
  const isUnanswered = useRef(false);
  const save = async (batch: readonly Edit<Field, Typed>[]): Promise<void> => {
    // Only a page that closes sends while a save is under way; either of the two may arrive first. The browser may also
    // have given up the earlier one, which the server stored nevertheless.
    const own = { ...underWay.current, ...Object.assign({}, ...batch.map(sentOf)) };
    const values = isUnanswered.current ? { ...own, follows_own: true } : own;
    underWay.current = own;
    isUnanswered.current = true;
    try {
      await saveValues(values, batch);
      isUnanswered.current = false;
    } catch (error) {
      if (isRefused(error)) isUnanswered.current = false;
      throw error;
    } finally {
      if (underWay.current === own) underWay.current = undefined;
    }
  };
  const saveValues = async (
    values: SentValues,
    batch: readonly Edit<Field, Typed>[],
  ): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        const body = { ...query, version: newest.current.version, ...values };
        const saved = await call(saveCalculation, { body, isQuiet: isRefused });
        newest.current = saved;
        forget(batch.map(({ key }) => key));
        cacheCalculation(saved);
        refreshCalculated(saved, 'shift_start' in values);
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
        const now = await call(findCalculation, { query, isQuiet: isRefused });
        take(now);
        cacheCalculation(now);
        refreshCalculated(now, false);
        const isTaken = batch.some(({ key, value, seen }) => {
          const there = typedOf(key, now, zone);
          return !isSameTyped(there, seen) && !isSameTyped(there, value);
        });
        // Somebody else changed other values: this one is saved beside them.
        if (isTaken || tries === MOST_TRIES) throw error;
      }
    }
  };
  const judge = (error: unknown): Verdict<Field, Typed> => {
    const reason = reasonOf(error);
    if (!isRefused(error)) return { means: 'retry', reason };
    if (!isConflict(error)) return { means: 'keep', reason };
    return { means: 'conflict', reason, stored: (key) => typedOf(key, newest.current, zone) };
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
      // One version covers all values.
      together: true,
    },
    true,
  );
  useEffect(() => {
    // The rendered calculation may be older than one that was saved meanwhile.
    const now = calculation.version < newest.current.version ? newest.current : calculation;
    for (const field of fields) edits.hear(field, typedOf(field, now, zone));
  }, [edits, calculation, zone]);
  // The strip shows what the calculator has read.
  useEffect(() => {
    if (read && read.version > first.version) cacheCalculation(read);
  }, [read, first.version]);
  return { calculation, zone, parts, edits, others };
}

export type Calculator = ReturnType<typeof useCalculator>;

const sentOf = ({ value }: Edit<Field, Typed>): SentValues => value.sent;

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

/** The values that others changed while the calculator was open. */
function useOthersChanges(zone: string) {
  const login = useSession()?.user.login;
  const [others, setOthers] = useState<ReadonlyMap<Field, OthersChange>>(new Map());
  const note = (before: Calculation, after: Calculation): void => {
    const by = after.updated_by;
    if (by === login) return;
    const changed = fields.flatMap((field) => {
      const was = typedOf(field, before, zone);
      const isSame = isSameTyped(was, typedOf(field, after, zone));
      return isSame ? [] : [[field, { by, before: was }] as const];
    });
    if (changed.length > 0) setOthers((known) => new Map([...known, ...changed]));
  };
  /** The user has set these since. */
  const forget = (own: readonly Field[]): void =>
    setOthers((known) => new Map([...known].filter(([field]) => !own.includes(field))));
  return { others, note, forget };
}
