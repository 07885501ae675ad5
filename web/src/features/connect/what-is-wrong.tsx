import type { Arrivals } from '@ridewatch/contract/first-steps';
import { spanOf } from '../../i18n/format.ts';
import styles from './connect-screen.module.css';
import type { ConnectTexts } from './texts-ru.ts';
import { timeOf } from './time-of.ts';
import { CLOCK_TOLERANCE_MS, type WaitedFor } from './use-arrivals.ts';
import { useConnectText } from './use-connect-text.ts';

/** Names that only the machine itself knows the server by. */
const OWN_NAMES = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

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
        {known.map((fault) => (
          <p key={fault} data-warning>
            {fault}
          </p>
        ))}
      </div>
      <details>
        <summary>{text.nothing}</summary>
        <dl>
          {text.terminal(location.origin).map(([seen, remedy]) => (
            <div key={seen}>
              <dt>{seen}</dt>
              <dd>{remedy}</dd>
            </div>
          ))}
          {OWN_NAMES.test(location.hostname) && (
            <div>
              <dt>{location.origin}</dt>
              <dd>{text.ownAddress}</dd>
            </div>
          )}
        </dl>
      </details>
    </section>
  );
}

function knownFaults(
  { refused_at, unknown_refused_at, last_seen_at, clock_offset_ms: offset }: Arrivals,
  issuedMs: number,
  hasPosition: boolean,
  text: ConnectTexts,
): string[] {
  const isSince = (moment: string | null): moment is string =>
    moment !== null && Date.parse(moment) >= issuedMs;
  const faults = isSince(refused_at) ? [text.refused(timeOf(refused_at))] : [];
  if (!isSince(last_seen_at)) {
    // Any unit may have sent it; one that was heard since has the right credential.
    if (isSince(unknown_refused_at)) faults.push(text.unknown(timeOf(unknown_refused_at)));
    return faults;
  }
  if (!hasPosition) faults.push(text.heard(timeOf(last_seen_at)));
  if (offset !== null && Math.abs(offset) > CLOCK_TOLERANCE_MS) {
    faults.push(text.clock(spanOf(Math.abs(offset)), offset < 0));
  }
  return faults;
}
