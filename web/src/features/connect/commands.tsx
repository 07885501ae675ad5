import { type AdminUnit, ROTATION_HOURS, rotateCredential } from '@ridewatch/contract/admin-units';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../calls/api.ts';
import { useSingle } from '../../calls/use-single.ts';
import { nowMs } from '../../core/clock.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { useLock } from '../../ui/use-lock.ts';
import { noteSecret, useSecret } from '../admin/issued-secret.ts';
import { Arrived, Paused, ToBus, usePassenger } from './arrived.tsx';
import styles from './connect-screen.module.css';
import { timeOf } from './time-of.ts';
import { passengerCommand, positionCommand, randomStream } from './unit-commands.ts';
import { useArrivals } from './use-arrivals.ts';
import { useConnectText } from './use-connect-text.ts';
import { WhatIsWrong } from './what-is-wrong.tsx';

/** Issues a credential unless this tab has just done so, shows the commands with it, and says what has arrived. */
export function Commands({ unit }: { unit: AdminUnit }) {
  const text = useConnectText();
  const locked = useLock();
  const [stream] = useState(randomStream);
  const [issuedHereMs, setIssuedHereMs] = useState<number>();
  const secret = useSecret('units', unit.id);
  // Somebody may have ended meanwhile what the drawer has shown.
  const isValid = issuedHereMs !== undefined || unit.credentials > 0;
  const credential = isValid ? secret : undefined;
  const issuedMs = issuedHereMs ?? momentOfIssue(unit);
  const arrivals = useArrivals(unit.id, credential === undefined ? undefined : issuedMs);
  const { answer, hasPosition } = arrivals;
  const passenger = usePassenger(unit, arrivals);
  const rotate = useSingle(
    useAction(rotateCredential, {
      onSuccess: (issued) => {
        setIssuedHereMs(momentOfIssue(issued.unit) ?? nowMs());
        noteSecret('units', unit.id, issued.credential);
      },
    }),
  );
  if (credential === undefined) {
    return (
      <div className={styles.issue}>
        <p>{text.issueText(ROTATION_HOURS)}</p>
        <FailedRead answer={answer} what={text.failedArrivals} />
        <Button
          kind="primary"
          data-issue
          locked={locked}
          isBusy={rotate.isPending}
          disabled={answer.data === undefined}
          onClick={() => rotate.mutate({ params: { unitId: unit.id } })}
        >
          {text.issue}
        </Button>
      </div>
    );
  }
  const target = { url: location.origin, credential, stream };
  const position = answer.data?.position ?? null;
  const place = position ? `${position.latitude.toFixed(5)}, ${position.longitude.toFixed(5)}` : '';
  return (
    <>
      <dl className={styles.secrets}>
        <Secret label={text.address} value={location.origin} />
        <Secret label={text.credential} value={credential} />
      </dl>
      <FailedRead answer={answer} what={text.failedArrivals} />
      <CommandPart
        {...{ number: 1, title: text.position, explained: text.positionText }}
        command={positionCommand(target)}
        arrived={hasPosition ? text.positionArrived(timeOf(position?.at, text), place) : undefined}
      />
      <CommandPart
        {...{ number: 2, title: text.passenger, explained: text.passengerText }}
        command={passengerCommand(target)}
        arrived={passenger}
      >
        <ToBus unit={unit} arrivals={arrivals} />
      </CommandPart>
      <WhatIsWrong arrivals={arrivals} />
      <Paused arrivals={arrivals} />
      <section className={styles.part}>
        <h2>3. {text.real}</h2>
        <p>
          {text.realText}{' '}
          <Link
            to="/help/{-$page}"
            params={{ page: 'unit-interface' }}
            // The credential is shown once.
            target="_blank"
            className={styles.link}
          >
            {text.toInterface}
          </Link>
        </p>
      </section>
    </>
  );
}

/** When the latest credential of a unit was issued, ms since 1970 UTC; undefined: none is valid. */
const momentOfIssue = ({ credential_issued_at: at }: AdminUnit): number | undefined =>
  at === null ? undefined : Date.parse(at);

function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton value={value} what={label} />
      </dd>
    </div>
  );
}

interface CommandPartProps {
  number: number;
  title: string;
  explained: string;
  command: string;
  /** The arrival in words; undefined while it is waited for. */
  arrived: string | undefined;
  children?: ReactNode;
}

function CommandPart({ number, title, explained, command, arrived, children }: CommandPartProps) {
  const text = useConnectText();
  const [isCopied, setCopied] = useState(false);
  return (
    <section className={styles.part}>
      <h2>
        {number}. {title}
      </h2>
      <p>{explained}</p>
      <pre data-command={number}>{command}</pre>
      <div className={styles.foot}>
        <Button onClick={() => void copyText(command).then(setCopied)}>
          {isCopied ? text.copied : text.copy}
        </Button>
        <Arrived arrived={arrived} />
        {children}
      </div>
    </section>
  );
}
