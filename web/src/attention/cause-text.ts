import { egtsResultCodeText, UNKNOWN_OBJECT } from '@ridewatch/contract/egts-result-words';
import type { AttentionRow } from '@ridewatch/contract/home';
import { jobClassWords } from '@ridewatch/contract/job-class-words';
import { protocolNames } from '@ridewatch/contract/unit-protocols';
import { wordIn } from '@ridewatch/contract/words';
import { formatMoney, formatNumber, spanOf } from '../i18n/format.ts';
import { currentLanguage } from '../i18n/language.ts';
import { dateText, dateTimeText, timeText } from '../i18n/moment-text.ts';
import type { AttentionTexts } from './texts-ru.ts';

/** Something that needs attention: an open cause, or figures of a bus. */
export type Attention = AttentionRow & { readonly seen?: boolean };

/** Names what a cause is about: its bus, or a part of the installation. */
export function causeTitle({ workplace, details }: Attention, text: AttentionTexts): string {
  return (
    workplace?.name ??
    text.titles[isOfUnknownBuses(details) ? 'upstream_unknown' : details.kind] ??
    ''
  );
}

/**
 * Says whose it is, beside the title, and when it began: the route of the bus, or the upstream. The name of an upstream may
 * be long, so the moment comes before it.
 * @param time the moment in words; empty where it is not wanted
 */
export function causeBeside({ workplace, details }: Attention, time: string): string {
  const isOfUpstream = details.kind === 'upstream_late' || details.kind === 'upstream_refuses';
  const parts = isOfUpstream ? [time, details.name] : [workplace?.route, time];
  return parts.filter(Boolean).join(' · ');
}

const isOfUnknownBuses = (details: Attention['details']): boolean =>
  details.kind === 'upstream_refuses' && details.code === UNKNOWN_OBJECT;

/** When it began: `14:20` of today, else `20.11 14:20`, in the bus's zone; empty where no moment is known. */
export function causeTime({ workplace, since }: Attention, nowMs: number): string {
  if (since === null) return '';
  const zone = workplace?.timezone;
  const sinceMs = Date.parse(since);
  const isToday = dateText(sinceMs, zone) === dateText(nowMs, zone);
  return isToday ? timeText(sinceMs, zone) : dateTimeText(sinceMs, zone);
}

/** Says what happened. */
export function causeText(
  { details, camera, since, workplace }: Attention,
  text: AttentionTexts,
  nowMs: number,
): string {
  const lasts = spanOf(since === null ? 0 : nowMs - Date.parse(since));
  switch (details.kind) {
    case 'silent_bus':
      return text.silent(lasts, details.place);
    case 'camera_offline':
      return text.offline(camera?.name ?? '', lasts);
    case 'imbalance': {
      const { percent, entered, exited } = details;
      return text.imbalance(percent, formatNumber(entered), formatNumber(exited));
    }
    case 'merge_failed': {
      const zone = workplace?.timezone;
      const [from, to] = [Date.parse(details.from), Date.parse(details.to)];
      const period = `${dateTimeText(from, zone)}–${timeText(to, zone)}`;
      return text.mergeFailed(camera?.name ?? '', period, text.failures[details.reason]);
    }
    case 'runs_out':
      return text.runsOut[details.what](details.days, details.name ?? '');
    case 'disk_full':
      return text.disk(details.percent, details.machine);
    case 'queue_starved': {
      const name = wordIn(currentLanguage(), jobClassWords[details.class]);
      const waited = spanOf(details.minutes * 60_000);
      return text.queue(name, waited, formatNumber(details.waiting));
    }
    case 'upstream_late':
      return text.upstreamLate(lasts);
    case 'upstream_refuses': {
      const { code, number } = details;
      if (isOfUnknownBuses(details)) return text.upstreamUnknown(number);
      const reason = egtsResultCodeText(currentLanguage(), code);
      return text.upstreamRefuses(reason, formatNumber(number));
    }
    case 'unknown_unit':
      return text.unknownUnits(details.count, `${protocolNames[details.protocol]} ${details.name}`);
    case 'odd_counter':
      return text.oddCounter[details.looks];
    case 'no_price':
      return text.noPrice(details.passengers);
    case 'low_revenue':
      return text.lowRevenue(
        details.percent,
        formatMoney(Number(details.now)),
        formatMoney(Number(details.before)),
      );
    case 'short_handed_in':
      return text.shortHandedIn(
        dateText(Date.parse(details.day), 'UTC'),
        formatMoney(Number(details.handed_in)),
        formatMoney(Number(details.due)),
      );
    case 'no_salary':
      return text.noSalary(formatNumber(Number(details.was)));
    case 'full':
      return text.full(formatNumber(details.inside), formatNumber(details.places), details.stop);
    case 'standing':
      return text.standing(lasts, details.stop);
  }
}
