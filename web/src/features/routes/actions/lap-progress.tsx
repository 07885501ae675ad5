import {
  cancelLapRecalculation,
  findLapRecalculation,
  type LapRecalculation,
} from '@ridewatch/contract/lap-recalculation';
import { useEffect } from 'react';
import { cacheAnswer, useAction, useEndpoint } from '../../../calls/api.ts';
import { formatDay } from '../../../i18n/format.ts';
import { FailedRead } from '../../../page/failed-read.tsx';
import { Button } from '../../../ui/button.tsx';
import { problemText } from '../problem.ts';
import { invalidateRoutes } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import { DayChanges } from './day-changes.tsx';
import { FailedDays } from './failed-days.tsx';
import { useRecalculationText } from './recalculation-texts.ts';

const RUNNING_MS = 1_000;

/** The progress of the last recalculation of a bus's laps, also after the page was reloaded. */
export function LapProgress({ busId }: { busId: number }) {
  const text = useRouteText();
  const own = useRecalculationText();
  const params = { workplaceId: busId };
  const answer = useEndpoint(
    findLapRecalculation,
    { params },
    {
      refetchInterval: ({ state }) =>
        state.data?.recalculation?.state === 'running' ? RUNNING_MS : false,
    },
  );
  const latest = answer.data?.recalculation;
  const cancel = useAction(cancelLapRecalculation, {
    onSuccess: (answer) => cacheAnswer(findLapRecalculation, { params }, answer),
  });
  const done = latest?.done;
  // The page shows the recalculated laps.
  useEffect(() => {
    if (done !== undefined && done > 0) void invalidateRoutes();
  }, [done]);
  if (!latest) return <FailedRead answer={answer} what={own.lastRecalculation} />;
  const { state, total, items, failed } = latest;
  return (
    <section className={styles.form} aria-label={own.lastRecalculation}>
      <span className={styles.note}>
        {own.lastRecalculation}: {formatDay(latest.dateFrom)} – {formatDay(latest.dateTo)}
      </span>
      <progress
        className={styles.progress}
        aria-label={own.lastRecalculation}
        max={total}
        value={latest.done}
      />
      <span role="status">{stateText(latest)}</span>
      <FailedDays of={failed} />
      {cancel.error && (
        <p role="alert" className={styles.problem}>
          {problemText(cancel.error, text)}
        </p>
      )}
      {state === 'running' && (
        <div className={styles.actions}>
          <Button isBusy={cancel.isPending} onClick={() => cancel.mutate({ params })}>
            {own.cancelRecalculation}
          </Button>
        </div>
      )}
      {items.length > 0 && <DayChanges items={items} />}
    </section>
  );

  function stateText(of: LapRecalculation): string {
    if (of.state === 'done') {
      if (of.items.length > 0) return own.recalculated(of.items.length);
      return of.failed.length > 0 ? own.allFailed(of.failed.length, of.total) : own.nothingChanged;
    }
    return own.recalculationState[of.state](of.done, of.total);
  }
}
