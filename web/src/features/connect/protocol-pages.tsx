import { protocolNames, type UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { Link } from '@tanstack/react-router';
import { protocolPages } from '../../page/protocol-pages.ts';
import styles from './connect-screen.module.css';
import { useConnectText } from './use-connect-text.ts';

/** Links to the guide's page of a protocol, and to its full description. */
export function ProtocolPages({ protocol }: { protocol: UnitProtocol }) {
  const { others: text } = useConnectText();
  const name = protocolNames[protocol];
  return (
    <p className={styles.foot}>
      <Link to="/help/{-$page}" params={{ page: protocolPages[protocol] }} className={styles.link}>
        {text.toPage(name)}
      </Link>
      <Link to="/help/{-$page}" params={{ page: protocol }} className={styles.link}>
        {text.toDocument(name)}
      </Link>
    </p>
  );
}
