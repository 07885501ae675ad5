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

/** The largest whole unit of a time span, for 'X ago'. */
export function spanOf(spanMs: number): { count: number; unit: 's' | 'min' | 'h' | 'd' } {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  if (seconds < 60) return { count: seconds, unit: 's' };
  if (seconds < 3600) return { count: Math.floor(seconds / 60), unit: 'min' };
  if (seconds < 86_400) return { count: Math.floor(seconds / 3600), unit: 'h' };
  return { count: Math.floor(seconds / 86_400), unit: 'd' };
}
