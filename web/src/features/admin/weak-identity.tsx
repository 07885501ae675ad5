import { findUnitPorts } from '@ridewatch/contract/admin-unit-ports';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { useEndpoint } from '../../calls/api.ts';
import { protocolVariables } from './protocol-variables.ts';
import styles from './unit-address.module.css';
import { useProtocolText } from './use-protocol-text.ts';

/** Says why whoever knows the id of a unit can send for it, and what helps. */
export function WeakIdentity({ protocol }: { protocol: UnitProtocol }) {
  const { weak } = useProtocolText();
  const { data } = useEndpoint(findUnitPorts, {});
  const own = data?.protocols.find((one) => one.protocol === protocol);
  const open = protocol === 'osmand' ? weak.openPhone : weak.open;
  const help = own?.is_limited ? weak.limited : open;
  return (
    <p className={styles.weak}>
      <strong>{weak.mark}.</strong> {weak.why[protocol]}{' '}
      {own && help(protocolVariables[protocol].from)}
    </p>
  );
}

interface WeakMarkProps {
  protocol: UnitProtocol;
  /** On a line of its own. */
  isBelow?: boolean;
}

/** The mark of a unit that is known by its id alone. */
export function WeakMark({ protocol, isBelow = false }: WeakMarkProps) {
  const { weak } = useProtocolText();
  return (
    <span className={styles.mark} title={weak.why[protocol]} data-below={isBelow || undefined}>
      {weak.mark}
    </span>
  );
}
