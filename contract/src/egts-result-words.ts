import { type Words, wordIn } from './words.ts';

/** The result of a record whose object the receiver does not know (GOST 33472-2015, annex В). */
export const UNKNOWN_OBJECT = 153;

/** Results by which receivers refuse records, as screens and mails say them (GOST 33472-2015, annex В). */
const resultWords: Readonly<Record<number, Words>> = {
  130: ['обработка запрещена', 'processing is denied'],
  131: ['неверный заголовок', 'wrong header'],
  132: ['неверный вид данных', 'wrong form of the data'],
  133: ['неизвестный вид пакета', 'unknown kind of packet'],
  134: ['не хватает полей', 'fields are missing'],
  136: ['отправитель не принят', 'the sender is not accepted'],
  139: ['не помещается в пакет', 'too long for a packet'],
  148: ['нет такой службы', 'there is no such service'],
  149: ['служба запрещена', 'the service is denied'],
  150: ['неизвестная служба', 'unknown service'],
  151: ['вход не разрешён', 'the sign-in is denied'],
  154: ['неверное время', 'wrong time'],
  156: ['не хватает места', 'no room'],
};

/** Says a result in a language, with its code before it: `154 · wrong time`; one without words by its code alone. */
export function egtsResultCodeText(language: Parameters<typeof wordIn>[0], code: number): string {
  const words = resultWords[code];
  return words === undefined
    ? wordIn(language, [`код ${code}`, `code ${code}`])
    : `${code} · ${wordIn(language, words)}`;
}
