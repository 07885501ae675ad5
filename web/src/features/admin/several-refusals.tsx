import type { RefusedRow } from '@ridewatch/contract/admin-several';
import { ApiError } from '../../core/api-error.ts';
import { errorText } from '../../i18n/error-texts.ts';
import { formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import styles from './several-bar.module.css';
import { type ChosenRows, fullNameOfRow } from './several-change.ts';
import type { AdminTexts } from './texts-ru.ts';
import { useSeveralText } from './use-several-text.ts';

/** Most rows that are named; the others are counted. */
export const MOST_NAMED = 12;

/** A chosen row that refuses a change. */
export interface Refusal {
  readonly id: number;
  readonly name: string;
  readonly why: string;
}

/** The chosen rows that a preview refuses, with names and reasons. */
export function refusalsOf(
  refused: readonly RefusedRow[] | undefined,
  rows: ChosenRows,
  { problems }: AdminTexts,
): readonly Refusal[] {
  return (refused ?? []).map(({ id, error, message, field }) => ({
    ...{ id, name: fullNameOfRow(rows.get(id) ?? { id }) },
    why: problems[`${error}.${field}`] ?? errorText({ error, message }),
  }));
}

/** The chosen row that an answer of a change names by its place; undefined if it names none. */
export function refusedRowIn(error: unknown, rows: ChosenRows): RefusedRow | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const [, place, field] = /^ids\.(\d+)(?:\.(.+))?$/.exec(error.field ?? '') ?? [];
  const id = [...rows.keys()][Number(place)];
  return id === undefined ? undefined : { id, error: error.error, message: error.message, field };
}

interface RefusalsProps {
  refusals: readonly Refusal[];
  /** Chosen rows. */
  of: number;
  onLeaveOut: () => void;
}

/** Says which of the chosen rows refuse a change, and why; the others can change without them. */
export function Refusals({ refusals, of, onLeaveOut }: RefusalsProps) {
  const text = useSeveralText();
  const count = refusals.length;
  if (count === 0) return null;
  return (
    <div role="alert" className={styles.refusals}>
      <p>{text.refused(count, of)}</p>
      <ul className={styles.lines}>
        {refusals.slice(0, MOST_NAMED).map(({ id, name, why }) => (
          <li key={id}>
            {name}: {why}
          </li>
        ))}
        {count > MOST_NAMED && <li>{text.andMore(formatNumber(count - MOST_NAMED))}</li>}
      </ul>
      {count < of && <Button onClick={onLeaveOut}>{text.leaveOut(count)}</Button>}
    </div>
  );
}
