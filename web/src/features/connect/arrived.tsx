import type { AdminUnit } from '@ridewatch/contract/admin-units';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { DoneIcon } from '../../ui/icons.tsx';
import styles from './connect-screen.module.css';
import { timeOf } from './time-of.ts';
import type { WaitedFor } from './use-arrivals.ts';
import { useConnectText } from './use-connect-text.ts';

/** Says that something has arrived. @param arrived the arrival in words; undefined while it is waited for */
export function Arrived({ arrived }: { arrived: string | undefined }) {
  const text = useConnectText();
  return (
    <span role="status" data-arrived={arrived !== undefined || undefined}>
      {arrived !== undefined && <DoneIcon />}
      {arrived ?? text.waiting}
    </span>
  );
}

/** The arrival of a passenger in words; undefined while it is waited for. */
export function usePassenger({ bus }: AdminUnit, arrivals: WaitedFor): string | undefined {
  const text = useConnectText();
  if (!arrivals.hasPassenger) return undefined;
  const when = timeOf(arrivals.answer.data?.counted_at, text);
  return bus === null ? text.passengerKept(when) : text.passengerArrived(when);
}

/** Leads to the bus of a unit once a passenger has arrived, if it has one. */
export function ToBus({ unit: { bus }, arrivals }: { unit: AdminUnit; arrivals: WaitedFor }) {
  const text = useConnectText();
  if (!arrivals.hasPassenger || !bus) return null;
  return (
    <Link to="/bus/$busId" params={{ busId: `${bus.id}` }} search={{}} className={styles.link}>
      {text.toBus} {bus.name}
    </Link>
  );
}

/** Says that the page has stopped asking, and lets it go on. */
export function Paused({ arrivals }: { arrivals: WaitedFor }) {
  const text = useConnectText();
  if (!arrivals.isPaused) return null;
  return (
    <p className={styles.paused}>
      {text.paused} <Button onClick={arrivals.goOn}>{text.again}</Button>
    </p>
  );
}
