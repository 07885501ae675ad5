import { formatMoment, offsetLabel } from '@ridewatch/contract/day';
import { videoFileName } from '@ridewatch/contract/file-name';
import type { MergeRequest } from '@ridewatch/contract/merges';
import type { MergeTexts } from './texts-ru.ts';

/** The period in the bus's time zone: `20.11.2026 09:00:00 – 10:00:00`. */
export function periodOf({ from, to, timezone }: MergeRequest): string {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const day = formatMoment(fromMs, timezone, 'DD.MM.YYYY');
  const isSameDay = formatMoment(toMs, timezone, 'DD.MM.YYYY') === day;
  const end = formatMoment(toMs, timezone, isSameDay ? 'HH:mm:ss' : 'DD.MM.YYYY HH:mm:ss');
  return `${day} ${formatMoment(fromMs, timezone, 'HH:mm:ss')} – ${end}`;
}

/** The period in the bus's time zone for a list: `20.11 09:00–10:00`; with seconds where they are not 0. */
export function shortPeriodOf({ from, to, timezone }: MergeRequest): string {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const clock = [fromMs, toMs].every((ms) => ms % 60_000 === 0) ? 'HH:mm' : 'HH:mm:ss';
  const day = formatMoment(fromMs, timezone, 'DD.MM');
  const end = formatMoment(toMs, timezone, 'DD.MM') === day ? clock : `DD.MM ${clock}`;
  return `${day} ${formatMoment(fromMs, timezone, clock)}–${formatMoment(toMs, timezone, end)}`;
}

/** Formats a duration: `1:02:03`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The file name of a merged video. */
export function fileNameOf({ workplace, camera, from, to, timezone }: MergeRequest): string {
  return videoFileName({
    bus: workplace.name,
    camera: camera.name,
    startMs: Date.parse(from),
    endMs: Date.parse(to),
    zone: timezone,
    extension: 'mp4',
  });
}

/** The facts about a merged video for its recipient: pairs of name and value, in order. */
export function factsOf(merge: MergeRequest, text: MergeTexts): [string, string][] {
  const { about } = text;
  const fromMs = Date.parse(merge.from);
  return [
    [about.bus, merge.workplace.name],
    [about.camera, merge.camera.name],
    [about.period, periodOf(merge)],
    [about.zone, `${merge.timezone} (${offsetLabel(fromMs, merge.timezone)})`],
    [about.utc, `${merge.from} – ${merge.to}`],
    [about.fragments, String(merge.fragments)],
    [about.duration, durationText(merge.duration_ms ?? 0)],
    [about.size, String(merge.size_bytes ?? 0)],
    [about.file, fileNameOf(merge)],
    ['SHA-256', merge.sha256 ?? ''],
    [about.created, merge.created_at],
  ];
}

/** The facts as the content of a text file. */
export function factsFile(merge: MergeRequest, text: MergeTexts): string {
  const lines = factsOf(merge, text).map(([name, value]) => `${name}: ${value}`);
  // Windows Notepad needs CRLF, and the byte order mark to detect UTF-8.
  return `\uFEFF${[text.about.heading, '', ...lines, ''].join('\r\n')}`;
}
