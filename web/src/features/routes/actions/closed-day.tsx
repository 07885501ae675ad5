import { formatDay } from '../../../i18n/format.ts';
import { useAddress } from '../../../page/use-address.ts';
import { Button } from '../../../ui/button.tsx';
import type { RouteAddress } from '../address.ts';
import { readRouteDay } from '../route-state.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import type { ActionProps } from './action-props.ts';

/** On a past day: says why nothing can be saved, and how to allow it. Otherwise nothing. */
export function ClosedDay({ day, isOpen, page }: Pick<ActionProps, 'day' | 'isOpen' | 'page'>) {
  const text = useRouteText();
  const { search, go } = useAddress<RouteAddress>();
  if (isOpen) return null;
  const { fromFor } = readRouteDay(search.from, page.date, page.today);
  const open = (from: string) => go({ from: fromFor(from) });
  return (
    <div role="status" className={styles.closed}>
      <p>{text.closedDay}</p>
      <div className={styles.actions}>
        <Button onClick={() => open(page.today)}>{text.editFromToday}</Button>
        <Button kind="quiet" onClick={() => open(day)}>
          {text.editFromThen(formatDay(day))}
        </Button>
      </div>
    </div>
  );
}
