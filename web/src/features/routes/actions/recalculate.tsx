import { type DayChange, MAX_RECALCULATED_DAYS, recalculateLaps } from '@ridewatch/contract/laps';
import { useState } from 'react';
import { useAction } from '../../../api.ts';
import { DayField } from '../../../bus-page/day-field.tsx';
import { formatDay } from '../../../i18n/format.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import { kopecksOf, showDifference, showKopecks } from '../money.ts';
import { problemText } from '../problem.ts';
import { forgetRoutes } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import type { ActionProps } from './action-props.ts';

const DAY_MS = 86_400_000;

/** Works past days out anew: first which of them would change and by how much, then, if wanted, for good. */
export function Recalculate({ day, page }: ActionProps) {
  const text = useRouteText();
  const { today, info } = page;
  const [from, setFrom] = useState(day < today ? day : `${today.slice(0, 8)}01`);
  const [to, setTo] = useState(today);
  const look = useAction(recalculateLaps, { handled: true });
  const make = useAction(recalculateLaps, {
    handled: true,
    onSuccess: ({ items }) => {
      showToast({ kind: 'done', text: text.recalculated(items.length) });
      look.reset();
      return forgetRoutes();
    },
  });
  const input = (preview: boolean) => ({
    params: { workplaceId: info.id },
    body: { dateFrom: from, dateTo: to, preview },
  });
  const problem = problemOf();
  const changes = look.data?.items;
  const failure = look.error ?? make.error;
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    // What is shown is not of these days.
    look.reset();
    make.reset();
  };
  return (
    <div className={styles.form}>
      <div className={styles.dates}>
        <DayField label={text.from} day={from} today={today} last={today} onDay={change(setFrom)} />
        <DayField
          label={text.to}
          day={to}
          today={today}
          last={today}
          problem={problem}
          onDay={change(setTo)}
        />
      </div>
      {failure && (
        <p role="alert" className={styles.problem}>
          {problemText(failure, text)}
        </p>
      )}
      {changes && changes.length === 0 && <p role="status">{text.nothingChanges}</p>}
      {changes && changes.length > 0 && <Changes items={changes} />}
      <div className={styles.actions}>
        <Button
          kind={changes?.length ? 'plain' : 'primary'}
          isBusy={look.isPending}
          disabled={problem !== undefined || make.isPending}
          onClick={() => look.mutate(input(true))}
        >
          {text.preview}
        </Button>
        {changes && changes.length > 0 && (
          <Button kind="primary" isBusy={make.isPending} onClick={() => make.mutate(input(false))}>
            {text.recalculate(changes.length)}
          </Button>
        )}
      </div>
    </div>
  );

  function problemOf(): string | undefined {
    if (to < from) return text.badRange;
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
    return days > MAX_RECALCULATED_DAYS ? text.tooManyDays : undefined;
  }
}

function Changes({ items }: { items: readonly DayChange[] }) {
  const text = useRouteText();
  const kopecks = (roubles: string | null) => (roubles === null ? 0 : kopecksOf(roubles));
  const before = items.reduce((sum, one) => sum + kopecks(one.revenue_before), 0);
  const after = items.reduce((sum, one) => sum + kopecks(one.revenue_after), 0);
  return (
    <div className={styles.table}>
      <table aria-label={text.changes}>
        <thead>
          <tr>
            <th scope="col">{text.day}</th>
            <th scope="col">{text.laps}</th>
            <th scope="col">{text.revenue}</th>
            <th scope="col">{text.difference}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
            <tr key={one.date}>
              <th scope="row">
                {formatDay(one.date)}
                {isSameInFigures(one) && <small>{text.otherChange}</small>}
              </th>
              <td>{change(String(one.laps_before), String(one.laps_after))}</td>
              <td>{change(shown(one.revenue_before), shown(one.revenue_after))}</td>
              <Difference of={kopecks(one.revenue_after) - kopecks(one.revenue_before)} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{text.total}</th>
            <td />
            <td>{change(showKopecks(before), showKopecks(after))}</td>
            <Difference of={after - before} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Difference({ of }: { of: number }) {
  const sign = of > 0 ? 'more' : 'less';
  return <td data-sign={of === 0 ? undefined : sign}>{showDifference(of)}</td>;
}

// Times or stops of its laps are other ones.
const isSameInFigures = (one: DayChange): boolean =>
  one.laps_before === one.laps_after && one.revenue_before === one.revenue_after;

const shown = (roubles: string | null): string =>
  roubles === null ? '—' : showKopecks(kopecksOf(roubles));

const change = (before: string, after: string): string =>
  before === after ? before : `${before} → ${after}`;
