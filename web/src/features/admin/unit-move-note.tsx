import { findAdminBus } from '@ridewatch/contract/admin-buses';
import type { AdminUnit } from '@ridewatch/contract/admin-units';
import { dayOf, FALLBACK_ZONE, formatMoment, momentOf } from '@ridewatch/contract/day';
import type { Named } from '@ridewatch/contract/paging';
import { useEndpoint } from '../../calls/api.ts';
import type { AnswerOf } from '../../calls/request.ts';
import { nowMs } from '../../core/clock.ts';
import { formatDay } from '../../i18n/format.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import fieldStyles from './fields.module.css';
import { isGone } from './is-gone.ts';
import { momentText } from './moments.ts';
import { hasNoBusYet } from './no-bus-yet.ts';

// A customer may be called by any word, and names are not declined.
const quoted = (names: readonly string[]) => names.map((name) => `«${name}»`).join(', ');
// A spare unit has no video: cameras are those of a bus.
const ru = {
  what: 'чьи записи перейдут',
  today: (time: string) => `сегодня с ${time}`,
  until: (since: string, today: string) => `с ${since} по сегодня, ${today},`,
  now: (to: string) => `С этой минуты записи прибора пойдут автобусу ${to}.`,
  first: (to: string) =>
    `Автобусу ${to} перейдёт всё с первой записи прибора: пассажиры, деньги и путь.`,
  moved: (span: string, from: string, to: string) =>
    `Записанное ${span} перейдёт от автобуса ${from} к автобусу ${to}: пассажиры, деньги, путь и видео.`,
  came: (span: string, to: string) =>
    `Записанное ${span} перейдёт к автобусу ${to}: пассажиры, деньги и путь.`,
  left: (span: string, from: string) =>
    `Записанное ${span} уйдёт из автобуса ${from} и никому не засчитается: пассажиры, деньги, путь и видео.`,
  counts: (names: readonly string[]) =>
    `Засчитается это ${names.length > 1 ? 'клиентам' : 'клиенту'} ${quoted(names)}`,
  noLonger: (names: readonly string[]) => `, а не ${quoted(names)}`,
};
const en: typeof ru = {
  what: 'whose records go along',
  today: (time) => `from ${time} today on`,
  until: (since, today) => `from ${since} until today, ${today},`,
  now: (to) => `From now on what the unit records belongs to the bus ${to}.`,
  first: (to) =>
    `The bus ${to} gets everything from the first record of the unit on: passengers, money and track.`,
  moved: (span, from, to) =>
    `What was recorded ${span} goes from the bus ${from} to the bus ${to}: passengers, money, track and video.`,
  came: (span, to) =>
    `What was recorded ${span} goes to the bus ${to}: passengers, money and track.`,
  left: (span, from) =>
    `What was recorded ${span} leaves the bus ${from}, and counts for nobody: passengers, money, track and video.`,
  counts: (names) => `It counts for ${names.join(', ')}`,
  noLonger: (names) => `, and no longer for ${names.join(', ')}`,
};
const useNoteText = textsOf({ ru_RU: ru, en_US: en });

type Bus = AnswerOf<typeof findAdminBus>;

interface UnitMoveNoteProps {
  unit: AdminUnit;
  /** As its field has it, in Moscow time; empty: the present. */
  moment: string;
  /** The bus in the form; empty: none; with a question mark before it, a text that is no bus. */
  busId: string;
}

/**
 * Says, before a unit's move is saved, which records go to which bus and for whom they count from then on: of a move from
 * a past moment, and of one to a bus of other customers.
 */
export function UnitMoveNote({ unit, moment, busId }: UnitMoveNoteProps) {
  const text = useNoteText();
  const [old, next] = [useBus(unit.bus?.id), useBus(Number(busId) || undefined)];
  const now = nowMs();
  const isAll = moment === '' && hasNoBusYet(unit);
  const presentMs = isAll ? Date.parse(unit.created_at) : now;
  const sinceMs = moment === '' ? presentMs : momentOf(moment, FALLBACK_ZONE);
  // The form says itself that a bus is none, that a time cannot be read, or that a moment is still to come.
  if (busId.startsWith('?') || Number.isNaN(sinceMs) || sinceMs > now) return null;
  const { data: from } = old;
  const { data: to } = next;
  if ((unit.bus && !from) || (busId !== '' && !to)) {
    return [old, next].map((answer, at) => (
      <FailedRead key={at === 0 ? 'old' : 'next'} {...{ answer, what: text.what }} />
    ));
  }
  const counts =
    to && countsText(text, from ? ownersSince(from, sinceMs) : [], ownersSince(to, sinceMs));
  const present = (bus: Bus) => (isAll ? text.first(bus.name) : counts && text.now(bus.name));
  const moved =
    moment === '' ? to && present(to) : movedText(text, spanOf(text, sinceMs, now), from, to);
  return (
    <p role="status" className={fieldStyles.note}>
      {[moved, counts].filter(Boolean).join(' ')}
    </p>
  );
}

/** A bus with the owners of its days. @param id undefined: none is read */
function useBus(id: number | undefined) {
  return useEndpoint(
    findAdminBus,
    { params: { busId: id ?? 0 } },
    { enabled: id !== undefined, isQuiet: isGone },
  );
}

function spanOf(text: typeof ru, sinceMs: number, now: number): string {
  const [day, today] = [sinceMs, now].map((ms) => dayOf(ms, FALLBACK_ZONE));
  if (day === today) return text.today(formatMoment(sinceMs, FALLBACK_ZONE, 'HH:mm'));
  return text.until(momentText(new Date(sinceMs).toISOString()), formatDay(today ?? ''));
}

function movedText(
  text: typeof ru,
  span: string,
  from: Bus | undefined,
  to: Bus | undefined,
): string | undefined {
  if (from && to) return text.moved(span, from.name, to.name);
  if (to) return text.came(span, to.name);
  return from && text.left(span, from.name);
}

/** The customers who own days of a bus since a moment, by name, as far as the user may know them. */
function ownersSince({ owners, timezone }: Bus, sinceMs: number): readonly Named[] {
  const day = dayOf(sinceMs, timezone);
  const own = owners.filter(({ to_day }) => to_day === null || to_day >= day);
  const byId = new Map(own.map(({ client }) => [client.id, client] as const));
  return [...byId.values()].sort((a, b) => a.name.localeCompare(b.name));
}

// The same customers need no word.
function countsText(
  text: typeof ru,
  before: readonly Named[],
  after: readonly Named[],
): string | undefined {
  const without = (all: readonly Named[], others: readonly Named[]) =>
    all.filter(({ id }) => others.every((one) => one.id !== id)).map(({ name }) => name);
  const lost = without(before, after);
  if (after.length === 0 || lost.length + without(after, before).length === 0) return undefined;
  const counts = text.counts(after.map(({ name }) => name));
  return `${counts}${lost.length > 0 ? text.noLonger(lost) : ''}.`;
}
