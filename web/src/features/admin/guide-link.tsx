import { protocolNames, type UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { Link } from '@tanstack/react-router';
import { protocolPages } from '../../page/protocol-pages.ts';
import styles from './unit-address.module.css';
import { useProtocolText } from './use-protocol-text.ts';

/** Opens a page of the guide beside the administration: a form may hold what is not saved. */
export function GuideLink({ page, children }: { page: string; children: string }) {
  return (
    <p className={styles.guide}>
      <Link to="/help/{-$page}" params={{ page }} target="_blank">
        {children}
      </Link>
    </p>
  );
}

/** Opens the page of the guide that says how to connect units of a protocol. */
export function ProtocolGuide({ protocol }: { protocol: UnitProtocol }) {
  const text = useProtocolText();
  return (
    <GuideLink page={protocolPages[protocol]}>{text.guide(protocolNames[protocol])}</GuideLink>
  );
}
