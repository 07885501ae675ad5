import type { BusRoute } from '@ridewatch/contract/bus-routes';
import { addBusToRoute, removeBusFromRoute } from '@ridewatch/contract/routes';
import { type SubmitEvent, useState } from 'react';
import type { BusPageState } from '../../bus-page/use-bus-page.ts';
import { useAction } from '../../calls/api.ts';
import { DayField } from '../../forms/day-field.tsx';
import { Popover } from '../../forms/popover.tsx';
import { formatDay } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import styles from './bus-on-route.module.css';
import { problemText } from './problem.ts';
import { invalidateRoutes } from './use-route.ts';
import { useRouteText } from './use-route-text.ts';

interface BusOnRouteProps {
  route: BusRoute;
  page: BusPageState;
  /** The bus has this route, so it can be removed from it. */
  isOn: boolean;
}

/** Assigns the page's bus to a route from a day on, or removes it. */
export function BusOnRoute({ route, page, isOn }: BusOnRouteProps) {
  const text = useRouteText();
  const label = isOn ? text.takeBusOff : text.putBus;
  return (
    <Popover label={`${label}: ${route.name}`} buttonClass={styles.button} button={label}>
      {(close) => <Move route={route} page={page} isOn={isOn} label={label} onDone={close} />}
    </Popover>
  );
}

function Move(props: BusOnRouteProps & { label: string; onDone: () => void }) {
  const { route, page, isOn, label, onDone } = props;
  const text = useRouteText();
  const [day, setDay] = useState(page.today);
  const done = (said: string) => {
    showToast({ kind: 'done', text: said });
    onDone();
    return invalidateRoutes();
  };
  const put = useAction(addBusToRoute, {
    onSuccess: () => done(text.busMoved(route.name, formatDay(day))),
  });
  const off = useAction(removeBusFromRoute, {
    onSuccess: () => done(text.busTakenOff(formatDay(day))),
  });
  const failure = put.error ?? off.error;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const workplaceId = page.info.id;
    if (isOn) off.mutate({ query: { workplaceId, valid_from: day } });
    else put.mutate({ body: { workplaceId, groupId: route.id, valid_from: day } });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <DayField
        label={text.validFrom}
        day={day}
        today={page.today}
        problem={failure ? problemText(failure, text) : undefined}
        onDay={setDay}
      />
      <Button type="submit" kind="primary" isBusy={put.isPending || off.isPending}>
        {label}
      </Button>
    </form>
  );
}
