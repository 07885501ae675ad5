import { MAX_RECALCULATED_DAYS } from '@ridewatch/contract/laps';
import { enForm, ruForm } from '../../../i18n/plural.ts';
import { textsOf } from '../../../i18n/texts-of.ts';

const ru = {
  from: 'С какого дня',
  to: 'По какой день',
  badRange: 'Конец раньше начала',
  tooManyDays: `Не больше ${MAX_RECALCULATED_DAYS} дней за раз`,
  preview: 'Показать изменения',
  nothingChanges: 'Ни один день не изменится.',
  changes: 'Изменения по дням',
  day: 'День',
  laps: 'Круги',
  revenue: 'Выручка',
  difference: 'Разница',
  otherChange: 'уточнятся время и остановки',
  total: 'Итого',
  recalculate: (count: number) => `Пересчитать ${count} ${ruForm(count, 'день', 'дня', 'дней')}`,
  recalculated: (count: number) =>
    `${ruForm(count, 'Пересчитан', 'Пересчитаны', 'Пересчитано')} ${count} ${ruForm(count, 'день', 'дня', 'дней')}`,
  lastRecalculation: 'Последний пересчёт',
  nothingChanged: 'Пересчитано, ничего не изменилось',
  cancelRecalculation: 'Остановить',
  allFailed: (failed: number, total: number) =>
    `Пересчёт окончен: не удалось посчитать ${failed} из ${total}, ничего не изменилось`,
  partLooked: (looked: number, all: number, hasChanges: boolean) =>
    `${looked === 1 ? 'Первый день' : `Первые ${looked} ${ruForm(looked, 'день', 'дня', 'дней')}`} из ${all}: ${
      hasChanges ? 'изменения ниже' : 'изменений нет'
    }. Остальные не просмотрены: это слишком долго. Пересчитать можно все.`,
  otherRecalculation:
    'Другие дни этого автобуса сейчас пересчитываются. Дождитесь конца или остановите.',
  recalculationState: {
    running: (done: number, total: number) => `Пересчитано ${done} из ${total}`,
    cancelled: (done: number, total: number) =>
      `Остановлено: пересчитано ${done} из ${total}, остальные дни прежние`,
    given_up: (done: number, total: number) =>
      `Прервано на ${done} из ${total}: слишком много дней не удалось посчитать`,
  },
  dayFailed: {
    too_long: 'расчёт занял больше 20 секунд, день остался прежним',
    too_large: 'слишком много данных, день остался прежним',
  },
};
const en: typeof ru = {
  from: 'From which day',
  to: 'To which day',
  badRange: 'The end is before the beginning',
  tooManyDays: `At most ${MAX_RECALCULATED_DAYS} days at once`,
  preview: 'Show the changes',
  nothingChanges: 'No day would change.',
  changes: 'Changes by day',
  day: 'Day',
  laps: 'Laps',
  revenue: 'Revenue',
  difference: 'Difference',
  otherChange: 'other times or stops',
  total: 'Total',
  recalculate: (count) => `Recalculate ${count} ${enForm(count, 'day', 'days')}`,
  recalculated: (count) => `${count} ${enForm(count, 'day was', 'days were')} recalculated`,
  lastRecalculation: 'Last recalculation',
  nothingChanged: 'Recalculated, nothing has changed',
  cancelRecalculation: 'Stop',
  allFailed: (failed, total) =>
    `Done: ${failed} of ${total} could not be calculated, nothing has changed`,
  partLooked: (looked, all, hasChanges) =>
    `${looked === 1 ? 'The first day' : `The first ${looked} days`} of ${all}: ${
      hasChanges ? 'the changes are below' : 'no changes'
    }. The rest was not checked: it would take too long. All can be recalculated.`,
  otherRecalculation:
    'Other days of this bus are being recalculated. Wait for the end, or stop it.',
  recalculationState: {
    running: (done, total) => `${done} of ${total} recalculated`,
    cancelled: (done, total) =>
      `Stopped: ${done} of ${total} recalculated, the other days are as before`,
    given_up: (done, total) =>
      `Stopped at ${done} of ${total}: too many days could not be calculated`,
  },
  dayFailed: {
    too_long: 'the calculation took more than 20 seconds; the day is as before',
    too_large: 'it has too many records; the day is as before',
  },
};

/** The texts about the recalculation of days in the current language. */
export const useRecalculationText = textsOf({ ru_RU: ru, en_US: en });
