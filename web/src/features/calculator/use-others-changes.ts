import { HISTORY_PAGE, listCalculationChanges } from '@ridewatch/contract/calculation-history';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../calls/request.ts';
import { useSession } from '../../core/session.ts';
import type { Edits } from '../../edits/edits.ts';
import { type Field, fields, isSameTyped, type Typed, typedOf } from './typed-values.ts';

/** A value that somebody else changed while the calculator was open. */
export interface OthersChange {
  readonly by: string | null;
  /** The value before it. */
  readonly before: Typed;
}

type Changes = ReadonlyMap<Field, OthersChange>;

/** The values that others changed while the calculator was open. */
export function useOthersChanges(
  calculation: Calculation,
  zone: string,
  edits: Edits<Field, Typed>,
): Changes {
  const login = useSession()?.user.login;
  const [others, setOthers] = useState<Changes>(new Map());
  const known = useRef(calculation);
  useEffect(() => {
    const before = known.current;
    known.current = calculation;
    const changed = fields.flatMap((field) => {
      const [was, is] = [typedOf(field, before, zone), typedOf(field, calculation, zone)];
      const own = edits.draftOf(field)?.value;
      const isOwn = own !== undefined && isSameTyped(own, is);
      return isOwn || isSameTyped(was, is) ? [] : [{ field, was }];
    });
    if (changed.length === 0) return;
    const note = (byOf: (typed: Typed) => string | null) =>
      setOthers((all) => {
        const made = changed.map(
          ({ field, was }) => [field, { by: byOf(was), before: was }] as const,
        );
        return new Map([...all, ...made.filter(([, { by }]) => by !== login)]);
      });
    const { updated_by: by } = calculation;
    if (by !== login) note(() => by);
    // The own save is the last change, and found those of others: the history knows whose they are.
    else void findAuthors(calculation).then(note);
  }, [calculation, login, zone, edits]);
  return others;
}

async function findAuthors({ workplace_id: workplaceId, date }: Calculation) {
  const query = { workplaceId, date, perPage: String(HISTORY_PAGE) };
  const found = await call(listCalculationChanges, { query, isQuiet: () => true }).catch(
    () => undefined,
  );
  return ({ sent }: Typed): string | null =>
    found?.items.find((change) => change.kind === 'value' && change.field in sent)?.by ?? null;
}
