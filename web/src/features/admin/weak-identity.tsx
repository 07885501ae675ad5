import { findUnitPorts } from '@ridewatch/contract/admin-unit-ports';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { useEndpoint } from '../../calls/api.ts';
import { protocolVariables } from './protocol-variables.ts';
import styles from './unit-address.module.css';
import { useProtocolText } from './use-protocol-text.ts';

/** An id as the system makes it; no other is known to be random. */
const MADE_ID = /^[\da-f]{32}$/;

interface WeakIdentityProps {
  protocol: UnitProtocol;
  /** Its id; empty: the system makes one. */
  id: string;
}

function useWhy({ protocol, id }: WeakIdentityProps): string {
  const { weak } = useProtocolText();
  const isTyped = protocol === 'osmand' && id !== '' && !MADE_ID.test(id);
  return isTyped ? weak.typed : weak.why[protocol];
}

/** Says why anybody who knows the id of a unit can send for it, and what helps. */
export function WeakIdentity({ protocol, id }: WeakIdentityProps) {
  const { weak } = useProtocolText();
  const why = useWhy({ protocol, id });
  const { data } = useEndpoint(findUnitPorts, {});
  const own = data?.protocols.find((one) => one.protocol === protocol);
  const open = protocol === 'osmand' ? weak.openPhone : weak.open;
  const help = own?.is_limited ? weak.limited : open;
  return (
    <p className={styles.weak}>
      <strong>{weak.mark}.</strong> {why} {own && help(protocolVariables[protocol].from)}
    </p>
  );
}

interface WeakMarkProps extends WeakIdentityProps {
  /** On a line of its own. */
  isBelow?: boolean;
}

/** The mark of a unit that is known by its id alone. */
export function WeakMark({ protocol, id, isBelow = false }: WeakMarkProps) {
  const { weak } = useProtocolText();
  const why = useWhy({ protocol, id });
  return (
    <span className={styles.mark} title={why} data-below={isBelow || undefined}>
      {weak.mark}
    </span>
  );
}
