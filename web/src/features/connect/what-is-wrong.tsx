import type { Arrivals } from '@ridewatch/contract/first-steps';
import { spanOf } from '../../i18n/format.ts';
import styles from './connect-screen.module.css';
import type { ConnectTexts } from './texts-ru.ts';
import { timeOf } from './time-of.ts';
import { CLOCK_TOLERANCE_MS, type WaitedFor } from './use-arrivals.ts';
import { useConnectText } from './use-connect-text.ts';

/** Says why nothing has arrived: as far as the server knows it, then by what the terminal shows. */
export function WhatIsWrong({ arrivals }: { arrivals: WaitedFor }) {
  const text = useConnectText();
  const { answer, issuedMs, hasPosition, hasPassenger } = arrivals;
  if (issuedMs === undefined || (hasPosition && hasPassenger)) return null;
  const known =
    answer.data === undefined ? [] : knownFaults(answer.data, issuedMs, hasPosition, text);
  return (
    <section className={styles.wrong}>
      <div role="status">
        {known.map(({ kind }) => (
          <p key={kind} data-warning>
            {text.wrong[kind]}
          </p>
        ))}
      </div>
      {/* They change with every answer, and would be announced each time. */}
      {known.map(({ kind, detail }) => (
        <small key={kind}>{detail}</small>
      ))}
      <details>
        <summary>{text.nothing}</summary>
        <dl>
          {text.terminal(location.origin).map(([seen, remedy]) => (
            <div key={seen}>
              <dt>{seen}</dt>
              <dd>{remedy}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

interface Fault {
  readonly kind: keyof ConnectTexts['wrong'];
  /** When it was, or how much. */
  readonly detail: string;
}

function knownFaults(
  { refused_at, unknown_refused_at, last_seen_at, clock_offset_ms: offset }: Arrivals,
  issuedMs: number,
  hasPosition: boolean,
  text: ConnectTexts,
): Fault[] {
  const { details } = text;
  const isSince = (moment: string | null): moment is string =>
    moment !== null && Date.parse(moment) >= issuedMs;
  const faults: Fault[] = isSince(refused_at)
    ? [{ kind: 'refused', detail: details.refused(timeOf(refused_at, text)) }]
    : [];
  if (!isSince(last_seen_at)) {
    // Any unit may have sent it; one that was heard since has the right credential.
    if (isSince(unknown_refused_at))
      faults.push({ kind: 'unknown', detail: details.unknown(timeOf(unknown_refused_at, text)) });
    return faults;
  }
  if (!hasPosition)
    faults.push({ kind: 'heard', detail: details.heard(timeOf(last_seen_at, text)) });
  if (offset !== null && Math.abs(offset) > CLOCK_TOLERANCE_MS) {
    const detail = details.clock(spanOf(Math.abs(offset)), offset < 0);
    faults.push({ kind: 'clock', detail });
  }
  return faults;
}
