import type { Cause } from '@ridewatch/contract/attention';
import { formatMoment } from '@ridewatch/contract/day';
import { formatNumber, spanOf } from '../i18n/format.ts';
import type { AttentionTexts } from './texts-ru.ts';

/** The zone of causes without a bus. */
const LIST_ZONE = 'Europe/Moscow';

/** What a cause is about: its bus, or a part of the installation. */
export function causeTitle({ workplace, details }: Cause, text: AttentionTexts): string {
  return workplace?.name ?? text.titles[details.kind] ?? '';
}

/** When it began: `14:20` of today, else `20.11 14:20`, in the bus's zone. */
export function causeTime({ workplace, since }: Cause, nowMs: number): string {
  const zone = workplace?.timezone ?? LIST_ZONE;
  const sinceMs = Date.parse(since);
  const dayOfMoment = (ms: number) => formatMoment(ms, zone, 'DD.MM');
  const isToday = dayOfMoment(sinceMs) === dayOfMoment(nowMs);
  return formatMoment(sinceMs, zone, isToday ? 'HH:mm' : 'DD.MM HH:mm');
}

/** What happened. */
export function causeText(
  { details, camera, since, workplace }: Cause,
  text: AttentionTexts,
  nowMs: number,
): string {
  const lasts = spanOf(nowMs - Date.parse(since));
  switch (details.kind) {
    case 'silent_bus':
      return text.silent(lasts);
    case 'camera_offline':
      return text.offline(camera?.name ?? '', lasts);
    case 'imbalance': {
      const { percent, entered, exited } = details;
      return text.imbalance(percent, formatNumber(entered), formatNumber(exited));
    }
    case 'merge_failed': {
      const zone = workplace?.timezone ?? LIST_ZONE;
      const at = (moment: string, pattern: string) =>
        formatMoment(Date.parse(moment), zone, pattern);
      const period = `${at(details.from, 'DD.MM HH:mm')}–${at(details.to, 'HH:mm')}`;
      return text.mergeFailed(camera?.name ?? '', period, text.failures[details.reason]);
    }
    case 'disk_full':
      return text.disk(details.percent);
    case 'queue_starved': {
      const waited = spanOf(details.minutes * 60_000);
      return text.queue(text.classes[details.class], waited, formatNumber(details.waiting));
    }
  }
}
