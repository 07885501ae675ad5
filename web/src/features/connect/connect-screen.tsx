import { type AdminUnit, findUnit, listUnits } from '@ridewatch/contract/admin-units';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { useSession } from '../../core/session.ts';
import { PickField } from '../../forms/pick-field.tsx';
import { useAddress } from '../../page/use-address.ts';
import { Waiting } from '../../page/waiting.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import type { ConnectAddress } from './address.ts';
import { Commands } from './commands.tsx';
import styles from './connect-screen.module.css';
import { OtherProtocols } from './other-protocols.tsx';
import { ProtocolUnit } from './protocol-unit.tsx';
import { useConnectText } from './use-connect-text.ts';
import { useOwnAddress } from './use-own-address.ts';

/** Units to choose from; further ones lead here from the administration. */
const SHOWN_UNITS = 100;

/** Connects a unit: its address and credential, commands that play its part or its protocol, and what has arrived. */
export function ConnectScreen() {
  const text = useConnectText();
  const role = useSession()?.user.role;
  useTitle(text.title);
  if (role !== 'ADMIN' && role !== 'INTEGRATOR') {
    return (
      <EmptyState title={text.noRight} text={text.noRightText} isPage>
        <Link to="/" className={styles.link}>
          {text.toHome}
        </Link>
      </EmptyState>
    );
  }
  return (
    <div className={styles.page}>
      <h1 className="phone-hidden">{text.title}</h1>
      <OwnAddress />
      <UnitPart />
      <OtherProtocols isAdmin={role === 'ADMIN'} />
    </div>
  );
}

function OwnAddress() {
  const { ofPage } = useOwnAddress();
  return ofPage === undefined ? null : <p data-warning>{ofPage}</p>;
}

function UnitPart() {
  const text = useConnectText();
  const { search, note } = useAddress<ConnectAddress>();
  const [typed, setTyped] = useState<string>();
  const list = useEndpoint(listUnits, { query: { perPage: String(SHOWN_UNITS) } });
  const units = list.data?.items ?? [];
  const chosen = /^\d+$/.test(search.unit ?? '') ? Number(search.unit) : undefined;
  const only = units.length === 1 ? units[0]?.id : undefined;
  const unitId = chosen ?? only;
  const isElsewhere =
    chosen !== undefined && list.data !== undefined && !units.some(({ id: one }) => one === chosen);
  if (list.data?.total === 0) {
    return (
      <>
        <p>{text.text}</p>
        <EmptyState title={text.noUnits} text={text.noUnitsText}>
          <Link
            to="/admin/{-$section}/{-$id}"
            params={{ section: 'units', id: 'new' }}
            search={{}}
            className={styles.link}
          >
            {text.create}
          </Link>
        </EmptyState>
      </>
    );
  }
  if (list.isError && !list.data) {
    return <Waiting answer={list} failed={text.failedTitle} bodyPx={320} />;
  }
  return (
    <>
      <div className={styles.field} aria-busy={list.isPending || undefined}>
        <PickField
          label={text.unit}
          options={units.map((unit) => ({
            ...{ value: `${unit.id}`, name: unit.device_id },
            label: [unit.device_id, unit.bus?.name].filter(Boolean).join(' · '),
          }))}
          placeholder={text.choose}
          value={typed ?? (isElsewhere || unitId === undefined ? '' : `${unitId}`)}
          onChange={(next) => {
            const isTyping = next.startsWith('?');
            setTyped(isTyping ? next : undefined);
            if (!isTyping) note({ unit: next || undefined });
          }}
        />
        {list.data && list.data.total > units.length && (
          <small>{text.ofMany(units.length, list.data.total)}</small>
        )}
      </div>
      {unitId === undefined ? <p>{text.text}</p> : <ChosenUnit key={unitId} unitId={unitId} />}
    </>
  );
}

function ChosenUnit({ unitId }: { unitId: number }) {
  const text = useConnectText();
  const answer = useEndpoint(findUnit, { params: { unitId } });
  const { ofCredential } = useOwnAddress();
  const unit = answer.data;
  if (unit === undefined) {
    return <Waiting answer={answer} failed={text.unitFailedTitle} bodyPx={320} />;
  }
  return (
    <>
      <p>{unit.protocol === null ? text.text : text.others.ways[unit.protocol]}</p>
      <UnitFacts unit={unit} />
      {/* Units of protocols have an address of their own, of which the page warns. */}
      {unit.protocol === null && ofCredential !== undefined && <p data-warning>{ofCredential}</p>}
      {unit.protocol === null ? (
        <Commands unit={unit} />
      ) : (
        <ProtocolUnit unit={unit} protocol={unit.protocol} />
      )}
    </>
  );
}

function UnitFacts({ unit }: { unit: AdminUnit }) {
  const text = useConnectText();
  return (
    <div className={styles.facts}>
      <p data-warning={unit.bus === null || undefined}>
        {unit.bus === null ? text.noBus : text.inBus(unit.bus.name)}
      </p>
      {!unit.enabled && <p data-warning>{text.disabled}</p>}
      {unit.test_since !== null && <p data-warning>{text.inTest}</p>}
      <Link
        to="/admin/{-$section}/{-$id}"
        params={{ section: 'units', id: `${unit.id}` }}
        search={{}}
        className={styles.link}
      >
        {text.open}
      </Link>
    </div>
  );
}
