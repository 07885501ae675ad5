// Why a unit cannot be where its form wants it. Refusals are rare, so the texts load with the first one.
import { MoveRefusal } from '@ridewatch/contract/move-refusal';
import { currentLanguage } from '../../i18n/language.ts';
import { momentText } from './moments.ts';

const ru = {
  bus_taken: (unit: string) => `Там уже стоит прибор ${unit}: сначала переставьте его`,
  in_test: 'Этот прибор в режиме теста: сначала завершите тест',
  test_counted: 'Записи последнего теста ещё засчитываются: сохраните, когда это закончится',
  future: 'Этот момент ещё не наступил',
  too_old: 'Прошло больше 7 дней: укажите момент за последние 7 дней, по московскому времени',
  foreign_day:
    'С того момента есть день, когда один из автобусов был не у ваших клиентов: укажите момент позже',
  came_later: (first: string) =>
    `До того прибор стоял в другом месте: укажите момент не раньше ${first}`,
  other_unit: (unit: string | null, first: string) =>
    `В автобусе тогда стоял ${unit === null ? 'другой прибор' : `прибор ${unit}`}: укажите момент не раньше ${first}`,
  camera: (name: string, stream: string) => `«${name}» (поток ${stream})`,
  no_camera: (cameras: string, more: number, isOne: boolean) =>
    `С того момента прибор записал видео, а в автобусе нет ${isOne ? 'камеры с таким потоком' : 'камер с такими потоками'}: ${cameras}${more > 0 ? ` и ещё ${more}` : ''}. Добавьте ${isOne ? 'её' : 'их'} или укажите момент позже`,
  too_much: 'С того момента прибор передал слишком много записей: укажите момент позже',
};
const en: typeof ru = {
  bus_taken: (unit) => `Unit ${unit} is there already: move it first`,
  in_test: 'This unit is in test mode: end the test first',
  test_counted: 'The records of its last test are still being counted: save when that is done',
  future: 'This moment is still to come',
  too_old: 'That is more than 7 days ago: choose a moment in the last 7 days, in Moscow time',
  foreign_day:
    'Since then there is a day on which one of the buses belonged to others: choose a later moment',
  came_later: (first) =>
    `The unit was elsewhere before: choose a moment that is not before ${first}`,
  other_unit: (unit, first) =>
    `${unit === null ? 'Another unit' : `Unit ${unit}`} was in the bus then: choose a moment that is not before ${first}`,
  camera: (name, stream) => `“${name}” (stream ${stream})`,
  no_camera: (cameras, more, isOne) =>
    `Since then the unit has recorded video, and the bus has no camera of ${isOne ? 'this stream' : 'these streams'}: ${cameras}${more > 0 ? `, and ${more} more` : ''}. Add ${isOne ? 'it' : 'them'}, or choose a later moment`,
  too_much: 'The unit has sent too many records since then: choose a later moment',
};
const texts = { ru_RU: ru, en_US: en };

const MINUTE_MS = 60_000;

/** The first whole minute that a field can name, at a moment or after it. */
const minuteText = (moment: string): string =>
  momentText(new Date(Math.ceil(Date.parse(moment) / MINUTE_MS) * MINUTE_MS).toISOString());

/** Explains a refused place of a unit. @param current of the answer @returns undefined if it does not have the cause */
export function placeProblem(current: unknown): string | undefined {
  const { success, data } = MoveRefusal.safeParse(current);
  if (!success) return undefined;
  const text = texts[currentLanguage()];
  switch (data.cause) {
    case 'bus_taken':
      return text.bus_taken(data.device_id);
    case 'came_later':
      return text.came_later(minuteText(data.since));
    case 'other_unit':
      return text.other_unit(data.device_id, minuteText(data.until));
    case 'no_camera': {
      const { cameras, total } = data;
      const named = cameras.map(({ name, stream_id }) => text.camera(name, stream_id));
      return text.no_camera(named.join(', '), total - cameras.length, total === 1);
    }
    default:
      return text[data.cause];
  }
}
