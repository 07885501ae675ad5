const number = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 2 });

/** Formats a number in Russian form in all languages: `1 234,5`. */
export function formatNumber(value: number): string {
  return number.format(value);
}

const money = new Intl.NumberFormat('ru-RU', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Formats roubles in Russian form in all languages: `1 234,50 ₽`. */
export function formatMoney(roubles: number): string {
  return `${money.format(roubles)}\u00a0₽`;
}

/** Formats a day `YYYY-MM-DD`: `20.11.2026`. */
export function formatDay(day: string): string {
  return day.split('-').reverse().join('.');
}

/** A time span in its largest whole unit. */
export interface Span {
  readonly count: number;
  readonly unit: 's' | 'min' | 'h' | 'd';
  /** Of hours: the minutes beside them; 0 to 59. */
  readonly minutes?: number;
}

/** The largest whole unit of a time span, for 'X ago'. */
export function spanOf(spanMs: number): Span {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  if (seconds < 60) return { count: seconds, unit: 's' };
  if (seconds < 3600) return { count: Math.floor(seconds / 60), unit: 'min' };
  if (seconds < 86_400) {
    const minutes = Math.floor((seconds % 3600) / 60);
    return { count: Math.floor(seconds / 3600), unit: 'h', minutes };
  }
  return { count: Math.floor(seconds / 86_400), unit: 'd' };
}

/** A span with its units: `12 min`, `4 h 52 min`. */
export function spanText(
  { count, unit, minutes = 0 }: Span,
  units: Readonly<Record<Span['unit'], string>>,
): string {
  const whole = `${count}\u00a0${units[unit]}`;
  return minutes > 0 ? `${whole} ${minutes}\u00a0${units.min}` : whole;
}

/** The name of a customer or a person. */
export function fullName(named: {
  readonly name: string;
  readonly surname?: string | null;
}): string {
  return [named.name, named.surname].filter(Boolean).join(' ');
}
