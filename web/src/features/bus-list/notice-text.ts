import type { Message } from '@ridewatch/contract/news';
import { currentLanguage } from '../../i18n/language.ts';

/** What a banner says: the words it came with, or for the server's own notices those of the language. */
export function noticeText({ title, text, notice }: Message): { title: string; text: string } {
  if (notice === null) return { title, text };
  const { percent, deleted, until } = notice;
  const day = until?.slice(0, 10).split('-').reverse().join('.') ?? '';
  if (currentLanguage() === 'en_US') {
    return {
      title: `The disk of the server is ${percent} % full`,
      text:
        deleted === 0
          ? 'From 85 % on the oldest video that nobody keeps is deleted.'
          : `To make room, the oldest video was deleted in the last 24 hours: ${deleted} fragments, recorded up to ${day}. What is marked as kept stays.`,
    };
  }
  return {
    title: `Диск сервера заполнен на ${percent} %`,
    text:
      deleted === 0
        ? 'От 85 % удаляется самое старое видео, которое не отмечено для хранения.'
        : `Чтобы освободить место, за последние 24 часа удалено самое старое видео: фрагментов ${deleted}, записанных по ${day}. Отмеченное для хранения остаётся.`,
  };
}
