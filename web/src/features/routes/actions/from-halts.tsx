import { generateStops } from '@ridewatch/contract/routes';
import { useEffect, useState } from 'react';
import { useAction } from '../../../calls/api.ts';
import { formatDay } from '../../../i18n/format.ts';
import { useAddress } from '../../../page/use-address.ts';
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
import { losesParts } from './loses-parts.ts';
import { LosesStops, Replacement } from './replacement.tsx';

/** Makes stops from the halts of the page's day, after a preview, and saves them as those of the bus's route. */
export function FromHalts({ route, day, isOpen, page, onPreview }: ActionProps) {
  const text = useRouteText();
  const { go } = useAddress<RouteAddress>();
  const look = useAction(generateStops, {
    onSuccess: ({ items }) => onPreview({ track: route?.details.track ?? [], stops: items }),
  });
  const save = useAction(generateStops);
  useEffect(() => () => onPreview(undefined), [onPreview]);
  const [isAsking, setAsking] = useState(false);
  const body = { workplaceId: page.info.id, date: page.date, valid_from: day };
  const failure = look.error ?? save.error;
  // The effect of a change depends on its first day.
  const found = look.variables?.body.valid_from === day ? look.data : undefined;
  const stops = found?.items;
  const replaces = found?.replaces;
  const name = page.info.group?.name ?? '';
  const store = async () => {
    setAsking(false);
    try {
      await orFar((confirm_far) =>
        save.mutateAsync({ body: { ...body, save: true, confirm_far } }),
      );
    } catch {
      // The form shows the error of the action.
      return;
    }
    showToast({ kind: 'done', text: text.stopsSaved });
    await invalidateRoutes();
    go({ part: undefined, act: undefined, route: undefined });
  };
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
      {replaces && <Replacement of={replaces} route={name} day={day} />}
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
            onClick={() => (replaces && losesParts(replaces) ? setAsking(true) : void store())}
          >
            {text.saveStops}
          </Button>
        )}
      </div>
      {isAsking && replaces && (
        <LosesStops
          of={replaces}
          route={name}
          day={day}
          onYes={() => void store()}
          onNo={() => setAsking(false)}
        />
      )}
    </div>
  );
}
