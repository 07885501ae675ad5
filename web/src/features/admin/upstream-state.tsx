import type { Upstream } from '@ridewatch/contract/admin-upstreams';
import { dayOf, FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { Fragment } from 'react';
import { nowMs } from '../../core/clock.ts';
import { formatNumber } from '../../i18n/format.ts';
import { Ago } from '../../ui/ago.tsx';
import { momentText } from './moments.ts';
import styles from './upstream-state.module.css';
import type { UpstreamTexts } from './upstream-texts-ru.ts';
import { useUpstreamText } from './use-upstream-text.ts';

/** A refusal is a remark for so long, ms. */
const REFUSED_MS = 24 * 3_600_000;

interface UpstreamProps {
  row: Upstream;
}

/** The address of an upstream, which may go on in another line before each part of its name, and before its port. */
export function UpstreamAddress({ row: { host, port } }: UpstreamProps) {
  return (
    <>
      {(host.includes(':') ? `[${host}]` : host).split(/(?=\.)/).map((part, at, parts) => (
        <Fragment key={parts.slice(at).join('')}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
      <wbr />:{port}
    </>
  );
}

/** The connection to an upstream, in words; `isShort`: without the time of the next attempt. */
export function UpstreamState({ row, isShort = false }: UpstreamProps & { isShort?: boolean }) {
  const text = useUpstreamText();
  const isBroken = row.enabled && row.connected_since === null && row.fault !== null;
  const next = isBroken && !isShort ? nextTryText(row, text) : undefined;
  return (
    <span className={isBroken ? styles.fault : undefined}>
      {[stateText(row, text), next].filter(Boolean).join(' · ')}
    </span>
  );
}

// A fault lasts until a record is confirmed, or a connection has stood for 20 s with nothing left to send.
function stateText(row: Upstream, text: UpstreamTexts): string {
  if (!row.enabled) return text.off;
  if (row.connected_since !== null) {
    const since = sinceText(row.connected_since);
    return row.fault === null ? text.connected(since) : text.connectedAgain(since);
  }
  if (row.fault === null) return row.waiting_since === null ? text.idle : text.connecting;
  return text.fault(text.faults[row.fault], row.fault_code, sinceText(row.fault_since));
}

function nextTryText({ next_try_at }: Upstream, text: UpstreamTexts): string | undefined {
  const nextMs = Date.parse(next_try_at ?? '');
  return nextMs > nowMs() ? text.nextTry(timeOf(nextMs)) : undefined;
}

const timeOf = (ms: number): string => formatMoment(ms, FALLBACK_ZONE, 'HH:mm');

// Of today only the time, in Moscow as in other lists.
function sinceText(moment: string | null): string {
  const ms = Date.parse(moment ?? '');
  const isToday = dayOf(ms, FALLBACK_ZONE) === dayOf(nowMs(), FALLBACK_ZONE);
  return isToday ? timeOf(ms) : momentText(moment);
}

/** The records that wait for an upstream: how many, and since when. */
export function UpstreamWaiting({ row }: UpstreamProps) {
  const text = useUpstreamText();
  if (row.waiting_since === null) return text.noneWaits;
  return (
    <>
      {recordsOf(row, text)}, {text.oldest} <Ago moment={row.waiting_since} />
    </>
  );
}

function recordsOf({ waiting, more_waiting }: Upstream, text: UpstreamTexts): string {
  const shown = formatNumber(waiting);
  return more_waiting ? text.moreRecords(waiting, shown) : text.records(waiting, shown);
}

/** Records that an upstream does not get; nothing when it gets all. */
export function UpstreamRemarks({ row }: UpstreamProps) {
  const text = useUpstreamText();
  const remarks = remarksOf(row, text);
  return remarks.length === 0 ? '—' : <span className={styles.remark}>{remarks.join(' · ')}</span>;
}

function remarksOf(row: Upstream, text: UpstreamTexts): string[] {
  const unknown = row.unregistered.buses;
  const refused = row.refused
    .filter(({ last_at }) => Date.parse(last_at) > nowMs() - REFUSED_MS)
    .reduce((sum, { records }) => sum + records, 0);
  return [
    ...(row.buses === 0 ? [text.noBusesGot] : []),
    ...(row.unnumbered > 0
      ? [text.unnumberedBuses(row.unnumbered, formatNumber(row.unnumbered))]
      : []),
    ...(unknown > 0 ? [text.unregisteredBuses(unknown, formatNumber(unknown))] : []),
    ...(refused > 0 ? [text.refusedRecords(formatNumber(refused))] : []),
  ];
}

/** All of it in one text, for a phone's list. */
export function UpstreamNote({ row }: UpstreamProps) {
  const text = useUpstreamText();
  const remarks = remarksOf(row, text);
  return (
    <>
      <UpstreamState row={row} isShort />
      {row.waiting_since !== null && ` · ${text.waits(recordsOf(row, text))}`}
      {remarks.length > 0 && (
        <>
          {' · '}
          <span className={styles.remark}>{remarks.join(' · ')}</span>
        </>
      )}
    </>
  );
}
