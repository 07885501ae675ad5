import { countDays } from '@ridewatch/contract/day';
import { findLapRecalculation, recalculateLaps } from '@ridewatch/contract/lap-recalculation';
import { MAX_RECALCULATED_DAYS } from '@ridewatch/contract/laps';
import { useState } from 'react';
import { cacheAnswer, useAction } from '../../../calls/api.ts';
import { ApiError } from '../../../core/api-error.ts';
import { DayRange } from '../../../forms/day-range.tsx';
import { Button } from '../../../ui/button.tsx';
import { problemText } from '../problem.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import type { ActionProps } from './action-props.ts';
import { LapProgress } from './lap-progress.tsx';
import { PreviewResult } from './preview-result.tsx';
import { daysToBegin } from './preview-span.ts';
import { useRecalculationText } from './recalculation-texts.ts';

/** Recalculates past days: first a preview of the changes, then the recalculation. */
export function Recalculate({ day, page }: ActionProps) {
  const text = useRouteText();
  const own = useRecalculationText();
  const { today, info } = page;
  const [days, setDays] = useState({
    from: day < today ? day : `${today.slice(0, 8)}01`,
    to: today,
  });
  const { from, to } = days;
  const look = useAction(recalculateLaps);
  const make = useAction(recalculateLaps, {
    onSuccess: ({ recalculation }) => {
      cacheAnswer(findLapRecalculation, { params: { workplaceId: info.id } }, { recalculation });
      look.reset();
    },
  });
  const input = (preview: boolean) => ({
    params: { workplaceId: info.id },
    body: { dateFrom: from, dateTo: to, preview },
  });
  const problem = problemOf();
  const begin = look.data ? daysToBegin(look.data, from, to) : 0;
  const failure = look.error ?? make.error;
  return (
    <div className={styles.form}>
      <DayRange
        labels={own}
        days={days}
        today={today}
        last={today}
        problem={problem}
        onDays={(chosen) => {
          setDays(chosen);
          // The shown preview belongs to other days.
          look.reset();
          make.reset();
        }}
      />
      {failure && (
        <p role="alert" className={styles.problem}>
          {failureText(failure)}
        </p>
      )}
      {look.data && <PreviewResult of={look.data} from={from} to={to} />}
      <div className={styles.actions}>
        <Button
          kind={begin > 0 ? 'plain' : 'primary'}
          isBusy={look.isPending}
          disabled={problem !== undefined || make.isPending}
          onClick={() => look.mutate(input(true))}
        >
          {own.preview}
        </Button>
        {begin > 0 && (
          <Button kind="primary" isBusy={make.isPending} onClick={() => make.mutate(input(false))}>
            {own.recalculate(begin)}
          </Button>
        )}
      </div>
      <LapProgress busId={info.id} />
    </div>
  );

  function failureText(error: Error): string {
    if (error instanceof ApiError && error.error === 'conflict') return own.otherRecalculation;
    return problemText(error, text);
  }

  function problemOf(): string | undefined {
    if (to < from) return own.badRange;
    return countDays(from, to) > MAX_RECALCULATED_DAYS ? own.tooManyDays : undefined;
  }
}
