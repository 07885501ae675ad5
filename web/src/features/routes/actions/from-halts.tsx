import { generateStops } from '@ridewatch/contract/routes';
import { useEffect } from 'react';
import { useAction } from '../../../api.ts';
import { useAddress } from '../../../bus-page/use-address.ts';
import { formatDay } from '../../../i18n/format.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import type { RouteAddress } from '../address.ts';
import { orFar } from '../far-stops.ts';
import { problemText } from '../problem.ts';
import { invalidateRoutes } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import type { ActionProps } from './action-props.ts';
import { ClosedDay } from './closed-day.tsx';

/** Makes stops from the halts of the page's day, after a preview, and saves them as those of the bus's route. */
export function FromHalts({ route, day, isOpen, page, onPreview }: ActionProps) {
  const text = useRouteText();
  const { go } = useAddress<RouteAddress>();
  const look = useAction(generateStops, {
    onSuccess: ({ items }) => onPreview({ track: route?.details.track ?? [], stops: items }),
  });
  const save = useAction(generateStops, {
    onSuccess: async () => {
      showToast({ kind: 'done', text: text.stopsSaved });
      await invalidateRoutes();
      go({ part: undefined, act: undefined, route: undefined });
    },
  });
  useEffect(() => () => onPreview(undefined), [onPreview]);
  const body = { workplaceId: page.info.id, date: page.date };
  const failure = look.error ?? save.error;
  const stops = look.data?.items;
  return (
    <div className={styles.form}>
      {failure && (
        <p role="alert" className={styles.problem}>
          {problemText(failure, text)}
        </p>
      )}
      {stops && (
        <p role="status" className={styles.figures}>
          {stops.length === 0 ? text.noHalts : text.stops(stops.length)}
        </p>
      )}
      {!page.info.group && <p className={styles.note}>{text.needsRoute}</p>}
      {stops && stops.length > 0 && page.info.group && (
        <p className={styles.note}>{text.replacesStops(page.info.group.name, formatDay(day))}</p>
      )}
      <ClosedDay day={day} isOpen={isOpen} page={page} />
      <div className={styles.actions}>
        <Button
          kind={stops?.length ? 'plain' : 'primary'}
          isBusy={look.isPending}
          onClick={() => look.mutate({ body: { ...body, save: false } })}
        >
          {text.showHalts} · {formatDay(page.date)}
        </Button>
        {stops && stops.length > 0 && (
          <Button
            kind="primary"
            isBusy={save.isPending}
            disabled={!page.info.group || !isOpen}
            onClick={() =>
              void orFar((confirm_far) =>
                save.mutateAsync({ body: { ...body, save: true, valid_from: day, confirm_far } }),
              ).catch(() => undefined)
            }
          >
            {text.saveStops}
          </Button>
        )}
      </div>
    </div>
  );
}
