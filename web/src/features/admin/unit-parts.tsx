import {
  type AdminUnit,
  revokeCredentials,
  rotateCredential,
} from '@ridewatch/contract/admin-units';
import { protocolNames, type UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { queryClient } from '../../calls/api.ts';
import { useSingle } from '../../calls/use-single.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { SecretNote } from '../../forms/secret-note.tsx';
import { Button } from '../../ui/button.tsx';
import { useLock } from '../../ui/use-lock.ts';
import styles from './drawer.module.css';
import { DrawerPart } from './drawer-part.tsx';
import { ProtocolGuide } from './guide-link.tsx';
import { noteSecret, useSecret } from './issued-secret.ts';
import { momentText } from './moments.ts';
import { useRowAction } from './row-calls.ts';
import { Sure } from './sure.tsx';
import { UnitAddress } from './unit-address.tsx';
import { FeedPart, TestPart } from './unit-feed.tsx';
import { useAdminText } from './use-admin-text.ts';
import { useProtocolText } from './use-protocol-text.ts';
import { readAgain, rowKey } from './use-rows.ts';
import { WeakIdentity } from './weak-identity.tsx';

// Few units have records without a time.
const AsidePart = lazyComponent(async () => (await import('./unit-aside.tsx')).AsidePart);

/** Shows below the form of a unit: where it sends in another protocol, credentials, test mode, records without a time, feed. */
export function UnitParts({ row }: { row: AdminUnit }) {
  const [news, setNews] = useState(0);
  const noteNews = useCallback(() => {
    setNews((before) => before + 1);
    void queryClient.invalidateQueries({ queryKey: rowKey('units', row.id) });
  }, [row.id]);
  return (
    <>
      {row.protocol && <AddressPart protocol={row.protocol} id={row.protocol_id ?? ''} />}
      <CredentialPart key={row.id} row={row} />
      <TestPart row={row} />
      {/* Known later than the parts above it, which it must not move from under a pointer. */}
      <AsidePart unitId={row.id} news={news} />
      <FeedPart unitId={row.id} onNews={noteNews} />
    </>
  );
}

function AddressPart({ protocol, id }: { protocol: UnitProtocol; id: string }) {
  const text = useProtocolText();
  return (
    <DrawerPart title={text.address.title(protocolNames[protocol])}>
      <UnitAddress {...{ protocol, id }} />
      <WeakIdentity {...{ protocol, id }} />
      <ProtocolGuide protocol={protocol} />
    </DrawerPart>
  );
}

function CredentialPart({ row }: { row: AdminUnit }) {
  const text = useAdminText();
  const secret = useSecret('units', row.id);
  const [isRotated, setRotated] = useState(false);
  const params = { unitId: row.id };
  const locked = useLock();
  const rotate = useSingle(
    useRowAction(rotateCredential, {
      onSuccess: ({ credential }) => {
        noteSecret('units', row.id, credential);
        setRotated(true);
        return readAgain();
      },
    }),
  );
  const revoke = useRowAction(revokeCredentials, {
    onSuccess: () => {
      noteSecret('units', row.id, undefined);
      return readAgain();
    },
  });
  const { credential: said } = text;
  const { address } = useProtocolText();
  return (
    <DrawerPart title={row.protocol ? address.connection : text.fields.credentials}>
      {row.protocol && <p>{address.noCredential(protocolNames[row.protocol])}</p>}
      {row.credentials > 0 && (
        <p>{`${said.valid(row.credentials)}, ${said.issued(momentText(row.credential_issued_at))}`}</p>
      )}
      {row.protocol === null && row.credentials === 0 && <p>{said.none}</p>}
      {secret !== undefined && (
        <SecretNote
          {...{ secret, title: said.title, text: said.text }}
          note={isRotated ? said.rotated : undefined}
        />
      )}
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        {row.protocol === null && (
          <Button
            isBusy={rotate.isPending}
            locked={locked}
            onClick={() => rotate.mutate({ params })}
          >
            {said.rotate}
          </Button>
        )}
        <Link to="/connect" search={{ unit: `${row.id}` }} className={styles.more}>
          {said.connect}
        </Link>
        {row.credentials > 0 && (
          <Sure
            label={said.revoke}
            text={said.revokeText}
            isBusy={revoke.isPending}
            onSure={() => revoke.mutate({ params })}
          />
        )}
      </div>
    </DrawerPart>
  );
}
