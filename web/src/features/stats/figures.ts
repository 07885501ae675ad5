// The figures of the statistics as text.
import { formatNumber } from '../../i18n/format.ts';
import type { CountKey } from './filters.ts';

const money = new Intl.NumberFormat('ru-RU', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** A number of people, or roubles with kopecks. */
export function figureText(key: CountKey, value: number): string {
  return key === 'fare' ? money.format(value) : formatNumber(value);
}

/** As `figureText`, with the currency. */
export function figureWithUnit(key: CountKey, value: number): string {
  return key === 'fare' ? `${money.format(value)}\u00a0₽` : formatNumber(value);
}

/** A mean of the days; undefined without days. People have one decimal. */
export function meanText(key: CountKey, total: number, days: number): string {
  if (days === 0) return '—';
  return key === 'fare' ? money.format(total / days) : formatNumber(inTenths(total / days));
}

/** As `meanText`, with the currency. */
export function meanWithUnit(key: CountKey, total: number, days: number): string {
  return days === 0
    ? '—'
    : figureWithUnit(key, key === 'fare' ? total / days : inTenths(total / days));
}

/** As `meanText` for narrow columns, of money in whole roubles. */
export function shortMeanText(key: CountKey, total: number, days: number): string {
  if (key !== 'fare' || days === 0) return meanText(key, total, days);
  return formatNumber(Math.round(total / days));
}

/** A share of a whole: `18,7 %`. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? '—' : `${formatNumber(inTenths((part / whole) * 100))}\u00a0%`;
}

/** A share of the hours that were due: never inTenths up to 100 %, which would hide a gap. */
export function completenessText(share: number | undefined): string {
  return share === undefined ? '—' : `${formatNumber(Math.floor(share * 1000) / 10)}\u00a0%`;
}

/** A change in per cent: `▲ 3,8 %`, or `0 %`. */
export function changeText(change: number): string {
  const size = inTenths(Math.abs(change));
  const sign = change < 0 ? '▼\u00a0' : '▲\u00a0';
  return `${size === 0 ? '' : sign}${formatNumber(size)}\u00a0%`;
}

const inTenths = (value: number): number => Math.round(value * 10) / 10;
