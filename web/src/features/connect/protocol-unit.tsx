import type { AdminUnit } from '@ridewatch/contract/admin-units';
import { protocolNames, type UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { useState } from 'react';
import { nowMs } from '../../core/clock.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { UnitAddress } from '../admin/unit-address.tsx';
import { Arrived, Paused, ToBus, usePassenger } from './arrived.tsx';
import styles from './connect-screen.module.css';
import { OnlyFrom } from './only-from.tsx';
import { ProtocolPages } from './protocol-pages.tsx';
import { timeOf } from './time-of.ts';
import { useArrivals } from './use-arrivals.ts';
import { useConnectText } from './use-connect-text.ts';
import { useIsAdmin } from './use-is-admin.ts';
import { useShutPort } from './use-shut-port.ts';

/** A unit that sends a position a minute, and other requests between them, has sent one within this time, min. */
const NO_POSITION_MIN = 3;

interface ProtocolUnitProps {
  unit: AdminUnit;
  protocol: UnitProtocol;
}

/** Shows the address and number to enter in a unit of another protocol, and its data since the page was opened. */
export function ProtocolUnit({ unit, protocol }: ProtocolUnitProps) {
  const text = useConnectText();
  const own = text.others;
  const isAdmin = useIsAdmin();
  const [openedMs] = useState(nowMs);
  // Such units send what they have stored meanwhile; any of it proves that they reach the server.
  const arrivals = useArrivals(unit.id, openedMs, true);
  const { answer, hasPosition, hasPassenger, isHeard } = arrivals;
  const isAsking = !arrivals.isPaused && !(hasPosition && hasPassenger);
  const shut = useShutPort(protocol, isAsking);
  const isShut = shut !== undefined;
  const waitedMs = answer.dataUpdatedAt - openedMs;
  const passenger = usePassenger(unit, arrivals);
  const { position = null, counted_at: counted = null } = answer.data ?? {};
  const place = position ? `${position.latitude.toFixed(5)}, ${position.longitude.toFixed(5)}` : '';
  return (
    <>
      <section className={styles.part}>
        <h2>1. {own.enter(own.ids[protocol], protocolNames[protocol])}</h2>
        <UnitAddress protocol={protocol} id={unit.protocol_id ?? ''} isOwnSaid />
        <ProtocolPages protocol={protocol} />
      </section>
      <section className={styles.part}>
        <h2>2. {isShut ? own.data : own.wait}</h2>
        <p data-warning={isShut || undefined}>
          {isShut ? own.shut[shut](protocolNames[protocol]) : own.waitText}
        </p>
        <OnlyFrom protocol={protocol} isAsking={isAsking} />
        <FailedRead answer={answer} what={text.failedArrivals} />
        <Kind
          {...{ isShut, name: own.position }}
          arrived={
            hasPosition ? text.positionArrived(timeOf(position?.at, text), place) : undefined
          }
          before={position && own.before(timeOf(position.at, text))}
        />
        <Kind
          {...{ isShut, name: own.passenger }}
          arrived={passenger}
          before={counted && own.before(timeOf(counted, text))}
        />
        <small>{own.adults}</small>
        {isHeard && !hasPosition && waitedMs >= NO_POSITION_MIN * 60_000 && (
          <p data-warning>{own.heard(NO_POSITION_MIN)}</p>
        )}
        {!isShut && !(hasPosition && hasPassenger) && (
          <details className={styles.protocol}>
            <summary>{text.nothing}</summary>
            <ul>
              {own.nothing(own.ids[protocol], isAdmin).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        )}
        <ToBus unit={unit} arrivals={arrivals} />
      </section>
      <Paused arrivals={arrivals} />
    </>
  );
}

interface KindProps {
  name: string;
  /** Nothing can arrive now. */
  isShut: boolean;
  /** The arrival in words; undefined while it is waited for. */
  arrived: string | undefined;
  /** The last one of before; null: none. */
  before: string | null;
}

function Kind({ name, isShut, arrived, before }: KindProps) {
  if (arrived === undefined && isShut && before === null) return null;
  return (
    <div className={styles.foot}>
      <strong>{name}</strong>
      {(arrived !== undefined || !isShut) && <Arrived arrived={arrived} />}
      {arrived === undefined && before !== null && <small>{before}</small>}
    </div>
  );
}
