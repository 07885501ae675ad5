import type { Message } from '@ridewatch/contract/news';
import { currentLanguage } from '../../i18n/language.ts';
import { enForm, ruForm } from '../../i18n/plural.ts';

/** What a banner says: the words it came with, or for the server's own notices those of the language. */
export function noticeText({ title, text, notice }: Message): { title: string; text: string } {
  if (notice === null) return { title, text };
  const { percent, deleted, until } = notice;
  const day = until?.split('-').reverse().join('.') ?? '';
  if (currentLanguage() === 'en_US') {
    return {
      title: `The disk of the server is ${percent}\u00a0% full`,
      text:
        deleted === 0
          ? 'From 85\u00a0% on the oldest video that nobody keeps is deleted.'
          : `To make room, the video of the ${deleted} oldest ${enForm(deleted, 'fragment', 'fragments')} was deleted in the last 24 hours, recorded up to ${day}. The counts stay, and so does what is marked as kept.`,
    };
  }
  return {
    title: `Диск сервера заполнен на ${percent}\u00a0%`,
    text:
      deleted === 0
        ? 'От 85\u00a0% удаляется самое старое видео, которое не отмечено для хранения.'
        : `Чтобы освободить место, за последние 24 часа удалено видео ${deleted} ${ruForm(deleted, 'самого старого фрагмента', 'самых старых фрагментов', 'самых старых фрагментов')}: записи по ${day}. Подсчёты остались, и отмеченное для хранения тоже.`,
  };
}
