import { formatMoment } from '@ridewatch/contract/day';
import type { UnaskedPart } from '@ridewatch/contract/preload';
import { textsOf } from '../i18n/texts-of.ts';

const ru = {
  silent: (range: string, unit: string | null) =>
    `${range} не запрошено: прибор, который тогда стоял в автобусе${unit === null ? '' : ` (${unit})`}, молчит`,
  offline: (range: string) => `${range} не запрошено: камера не в сети`,
};
const en: typeof ru = {
  silent: (range, unit) =>
    `${range} was not requested: the unit that sat in the bus then${unit === null ? '' : ` (${unit})`} sends nothing`,
  offline: (range) => `${range} was not requested: the camera is offline`,
};
const useTexts = textsOf({ ru_RU: ru, en_US: en });

/** Gives a function that says, in the current language, which part of a range was not requested and why. */
export function useUnaskedText(zone: string): (part: UnaskedPart) => string {
  const text = useTexts();
  return ({ start_time, end_time, device_id, reason }) => {
    const range = [start_time, end_time]
      .map((time) => formatMoment(Date.parse(time), zone, 'HH:mm:ss'))
      .join(' – ');
    return text[reason](range, device_id);
  };
}
