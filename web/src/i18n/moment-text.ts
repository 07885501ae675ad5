// Moments as text by the browser's own zones: the library of days would be a file more before the first figures.
const MOSCOW = 'Europe/Moscow';
const forms = {
  time: { hour: '2-digit', minute: '2-digit' },
  date: { day: '2-digit', month: '2-digit' },
  offset: { timeZoneName: 'shortOffset' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
const made = new Map<string, Intl.DateTimeFormat>();

function format(form: keyof typeof forms, momentMs: number, zone: string): string {
  const key = `${form} ${zone}`;
  const known =
    made.get(key) ?? new Intl.DateTimeFormat('ru-RU', { ...forms[form], timeZone: zone });
  made.set(key, known);
  return known.format(momentMs);
}

/** The time of day of a moment: `14:32`. @param momentMs ms since 1970 UTC @param zone Moscow unless given */
export const timeText = (momentMs: number, zone = MOSCOW): string => format('time', momentMs, zone);

/** The day of a moment: `13.11`. @param momentMs ms since 1970 UTC @param zone Moscow unless given */
export const dateText = (momentMs: number, zone = MOSCOW): string => format('date', momentMs, zone);

/** The offset of a zone at a moment: `UTC+10`. @param momentMs ms since 1970 UTC */
export const offsetText = (momentMs: number, zone: string): string =>
  `UTC${format('offset', momentMs, zone).split('GMT')[1]}`;

/** A moment with its day: `13.11 18:04`. @param momentMs ms since 1970 UTC @param zone Moscow unless given */
export const dateTimeText = (momentMs: number, zone = MOSCOW): string =>
  `${dateText(momentMs, zone)} ${timeText(momentMs, zone)}`;
