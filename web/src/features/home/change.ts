import { formatNumber } from '../../i18n/format.ts';

/**
 * The change from a value to another one: `▲ 4,2 %`.
 * @returns undefined if there was nothing before: no share can be said
 */
export function changeText(before: number, now: number): string | undefined {
  if (before === 0) return undefined;
  const percent = Math.round(((now - before) / before) * 1000) / 10;
  if (percent === 0) return '0\u00a0%';
  return `${percent > 0 ? '▲' : '▼'}\u00a0${formatNumber(Math.abs(percent))}\u00a0%`;
}
