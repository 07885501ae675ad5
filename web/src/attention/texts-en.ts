import { type Span, spanText } from '../i18n/format.ts';
import { enForm } from '../i18n/plural.ts';
import type { AttentionTexts } from './texts-ru.ts';

const units = { s: 's', min: 'min', h: 'h', d: 'd' };
const span = (time: Span) => spanText(time, units);

const daysText = (days: number) => `${days} ${enForm(days, 'day', 'days')}`;
const endText = (days: number) => {
  if (days < 0) return 'has ended';
  return days === 0 ? 'today' : `in ${daysText(days)}`;
};

export const en: AttentionTexts = {
  titles: {
    disk_full: "The server's disk",
    queue_starved: 'Background work',
    runs_out: 'Runs out soon',
    unknown_unit: 'Unknown units',
    upstream_late: 'Records wait',
    upstream_refuses: 'Records refused',
    upstream_unknown: 'Buses not known there',
  },
  silent: (time, place) =>
    `has sent nothing for ${span(time)}${place === null ? '' : `, last near ${place}`}`,
  offline: (camera, time) => `${camera} offline for ${span(time)}`,
  imbalance: (percent, entered, exited) =>
    `entered and exited differ by ${percent} %: ${entered} / ${exited}`,
  mergeFailed: (camera, period, reason) => `${camera}, ${period} was not merged: ${reason}`,
  runsOut: {
    disk: (days, machine) =>
      `room on the disk${machine && ` of ${machine}`}: ${endText(Math.max(0, days))}. Shorten the retention or add a larger disk`,
    certificate: (days, host) =>
      `the certificate of ${host}: ${endText(days)}. Renew the certificate of the proxy that serves PUBLIC_URL`,
    api_key: (days, name) => `the API key “${name}”: ${endText(days)}. Its program needs a new key`,
  },
  disk: (percent, machine) => `${machine === null ? '' : `${machine}: `}${percent} % full`,
  unknownUnits: (count, first) =>
    `${count} ${enForm(count, 'sends', 'send')}, the first one ${first}${first.endsWith('…') ? '' : '.'} Adopt yours, put the others aside`,
  oddCounter: {
    cumulative: 'the counter seems to send a running total. Check how the unit counts people',
    delta:
      'the counter seems to send who passed since the last time. Check how the unit counts people',
  },
  upstreamLate: (time) => `the oldest for ${span(time)}`,
  upstreamUnknown: (buses) => `${buses} ${enForm(buses, 'bus', 'buses')}, records wait`,
  upstreamRefuses: (reason, records) => `${reason}, ${records} in all`,
  queue: (name, time, waiting) => `${name}: waits for ${span(time)}, jobs: ${waiting}`,
  noPrice: (passengers) =>
    `${passengers} ${enForm(passengers, 'trip', 'trips')} without a price: revenue is too low`,
  lowRevenue: (percent, now, before) =>
    `revenue is ${percent} % lower than a week ago: ${now} against ${before}`,
  shortHandedIn: (day, handedIn, due) => `${day}: handed in ${handedIn} of ${due} due`,
  noSalary: (was) => `salary 0 %, ${was} % before`,
  full: (inside, places, stop) =>
    `full: ${inside} of ${places} places${stop === null ? '' : `, → ${stop}`}`,
  standing: (time, stop) =>
    `stands on its lap for ${span(time)}${stop === null ? '' : `, ${stop}`}`,
  failures: {
    cancelled: 'cancelled',
    no_video: 'no video is left',
    no_space: 'no disk space is left',
    failed: 'the files could not be joined',
  },
};
