import { findUnitPorts } from '@ridewatch/contract/admin-unit-ports';
import { protocolNames, UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { UnitAddress } from '../admin/unit-address.tsx';
import styles from './connect-screen.module.css';
import { OnlyFrom } from './only-from.tsx';
import { ProtocolPages } from './protocol-pages.tsx';
import { useConnectText } from './use-connect-text.ts';

/** Protocols that have a port of their own alone. The OsmAnd form is always taken. */
const BY_PORT: readonly UnitProtocol[] = ['egts', 'jt808'];

/** Tells where equipment sends that is there already and speaks another protocol than the unit interface. */
export function OtherProtocols({ isAdmin }: { isAdmin: boolean }) {
  const { others: text } = useConnectText();
  const { data: ports } = useEndpoint(findUnitPorts, {});
  // Until the ports are known, all count as open, as they mostly are.
  const isOff = (own: UnitProtocol) =>
    ports?.protocols.find(({ protocol }) => protocol === own)?.port === null;
  const named = (isWanted: (own: UnitProtocol) => boolean) =>
    BY_PORT.filter(isWanted).map((own) => protocolNames[own]);
  return (
    <section className={styles.part} aria-labelledby="other-protocols">
      <h2 id="other-protocols">{text.title}</h2>
      <p>
        {text.text(
          named((own) => !isOff(own)),
          named(isOff),
        )}
      </p>
      {UnitProtocol.options.map((protocol) => (
        <OtherProtocol key={protocol} {...{ protocol, isAdmin }} />
      ))}
      <p className={styles.foot}>
        {isAdmin && (
          <Link
            to="/admin/{-$section}/{-$id}"
            params={{ section: 'unknown_units', id: undefined }}
            search={{}}
            className={styles.link}
          >
            {text.toUnknown}
          </Link>
        )}
        <Link
          to="/help/{-$page}"
          params={{ page: 'connect' }}
          hash="protocols"
          className={styles.link}
        >
          {text.toGuide}
        </Link>
      </p>
    </section>
  );
}

interface OtherProtocolProps {
  protocol: UnitProtocol;
  isAdmin: boolean;
}

function OtherProtocol({ protocol, isAdmin }: OtherProtocolProps) {
  const { others: text } = useConnectText();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={styles.protocol}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <strong>{protocolNames[protocol]}</strong> {text.kinds[protocol]}
      </summary>
      <UnitAddress protocol={protocol} isOwnSaid />
      {isOpen && <OnlyFrom protocol={protocol} isAsking />}
      <p>{protocol === 'osmand' && !isAdmin ? text.askAdmin : text.numbers[protocol]}</p>
      <ProtocolPages protocol={protocol} />
    </details>
  );
}
