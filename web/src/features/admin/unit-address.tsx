import { findUnitPorts, type UnitPorts } from '@ridewatch/contract/admin-unit-ports';
import { OSMAND_PATH, protocolNames, type UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { Fragment } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { useClosedPortText, useOffPortText, usePortFaults } from '../../page/port-faults.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { protocolVariables } from './protocol-variables.ts';
import styles from './unit-address.module.css';
import { useProtocolText } from './use-protocol-text.ts';

/** Names that only the machine itself knows the server by. */
const OWN_NAMES = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

interface UnitAddressProps {
  protocol: UnitProtocol;
  /** The number of the unit; absent: the address is for any unit. */
  id?: string;
  /** The page itself warns of an address that only the server knows. */
  isOwnSaid?: boolean;
}

/** Shows the address to which units of a protocol send, and the number of one, as their settings ask for them. */
export function UnitAddress({ protocol, id, isOwnSaid = false }: UnitAddressProps) {
  const text = useProtocolText();
  const faults = usePortFaults();
  const portText = useClosedPortText();
  const offText = useOffPortText();
  const answer = useEndpoint(findUnitPorts, {});
  const { data } = answer;
  const { hostname } = new URL(data?.public_url ?? location.origin);
  const { port, closed } = portOf(data, protocol);
  const isOff = data && protocol !== 'osmand' && port === null;
  return (
    <>
      <FailedRead answer={answer} what={text.address.failed} />
      {data && (
        <dl className={styles.lines}>
          <Places protocol={protocol} ports={data} />
          {id !== undefined && <Line name={text.ids[protocol].label} value={id} />}
        </dl>
      )}
      {port !== null && closed !== null && (
        <p className={styles.warning}>
          {text.address.taken(port, faults[closed], protocolVariables[protocol].port)}
        </p>
      )}
      {protocol === 'jt808' &&
        data?.closed_video_ports.map((one) => (
          <p key={`${one.listener} ${one.port}`} className={styles.warning}>
            {portText(one)}
          </p>
        ))}
      {protocol === 'jt808' &&
        !isOff &&
        data?.off_video_ports.map((listener) => (
          <p key={listener} className={styles.warning}>
            {offText(listener)}
          </p>
        ))}
      {isOff && (
        <p className={styles.warning}>
          {text.address.closed(protocolNames[protocol], protocolVariables[protocol].port)}
        </p>
      )}
      {data && !isOff && !isOwnSaid && OWN_NAMES.test(hostname) && (
        <p className={styles.warning}>{text.address.own(hostname)}</p>
      )}
    </>
  );
}

function Places({ protocol, ports }: { protocol: UnitProtocol; ports: UnitPorts }) {
  const { address: text } = useProtocolText();
  const origin = ports.public_url ?? location.origin;
  const { hostname } = new URL(origin);
  const { port, closed } = portOf(ports, protocol);
  if (protocol === 'osmand') {
    return (
      <>
        <Line name={text.url} value={`${origin}${OSMAND_PATH}`} />
        {port !== null && closed === null && (
          <Line name={text.or} value={`http://${hostname}:${port}`} />
        )}
      </>
    );
  }
  return (
    <>
      <Line name={text.host} value={hostname} />
      {port === null ? (
        <div>
          <dt>{text.port}</dt>
          <dd>{text.off}</dd>
        </div>
      ) : (
        <Line name={text.port} value={`${port}`} />
      )}
    </>
  );
}

/** The port of a protocol, and why it is closed; null until the ports are known, too. */
const portOf = (ports: UnitPorts | undefined, protocol: UnitProtocol) =>
  ports?.protocols.find((one) => one.protocol === protocol) ?? { port: null, closed: null };

/** The parts of an address, between which it may go on in another line. */
const partsOf = (value: string): readonly string[] =>
  value.match(/^\w+:\/\/[^/]*|\/[^/]*|[^/]+/g) ?? [];

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>
          {partsOf(value).map((part, at) => (
            <Fragment key={at === 0 ? '' : part}>
              {at > 0 && <wbr />}
              {part}
            </Fragment>
          ))}
        </code>
        <CopyButton value={value} what={name} />
      </dd>
    </div>
  );
}
