import { useLanguage } from '../../../i18n/language.ts';

const ru = {
  lastRecalculation: 'Последний пересчёт',
  nothingChanged: 'Пересчитано, ничего не изменилось',
  cancelRecalculation: 'Остановить',
  tooLongToWait: 'Эти дни считаются дольше 20 секунд: выберите меньше дней.',
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
type RecalculationTexts = typeof ru;

const en: RecalculationTexts = {
  lastRecalculation: 'Last recalculation',
  nothingChanged: 'Recalculated, nothing has changed',
  cancelRecalculation: 'Stop',
  tooLongToWait: 'These days take more than 20 seconds: choose fewer.',
  otherRecalculation:
    'Other days of this bus are being recalculated. Wait for the end, or stop it.',
  recalculationState: {
    running: (done, total) => `${done} of ${total} recalculated`,
    cancelled: (done, total) =>
      `Stopped: ${done} of ${total} recalculated, the other days are as before`,
    given_up: (done, total) =>
      `Broken off at ${done} of ${total}: too many days could not be worked out`,
  },
  dayFailed: {
    too_long: 'working it out took more than 20 seconds; the day is as before',
    too_large: 'it has too many records; the day is as before',
  },
};

/** What is said of days that are worked out anew, in the user's language. */
export function useRecalculationText(): RecalculationTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
