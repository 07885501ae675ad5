import type { Message, Notice } from '@ridewatch/contract/news';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Language, setLanguage } from '../../i18n/language.ts';
import { freshServer } from '../../test/open.tsx';
import { noticeText } from './notice-text.ts';

const message = (notice: Notice | null): Message => ({
  id: 1,
  title: 'Title',
  text: 'Text of the message.',
  mediaId: null,
  notice,
});
const said = async (notice: Notice | null, language: Language = 'en_US') => {
  await setLanguage(language);
  const { title, text } = noticeText(message(notice));
  return `${title}. ${text}`.replaceAll('\u00a0', ' ');
};
beforeEach(() => {
  freshServer();
});

describe('what a banner says', () => {
  it('is what somebody has written', async () => {
    expect(await said(null)).toBe('Title. Text of the message.');
  });

  it('of a disk that fills up, is how full it is and what is deleted from then on', async () => {
    const notice = { kind: 'disk', percent: 86, deleted: 0, until: null } as const;
    expect(await said(notice)).toBe(
      'The disk of the server is 86 % full. The oldest video that nobody keeps will be deleted.',
    );
    expect(await said(notice, 'ru_RU')).toContain('Диск сервера заполнен на 86 %');
  });

  it('of a disk from which video was deleted, is how much of it and up to which day', async () => {
    const notice = { kind: 'disk', percent: 91, deleted: 2, until: '2026-02-01' } as const;
    expect(await said(notice)).toContain('the video of the 2 oldest fragments was deleted');
    expect(await said(notice)).toContain('recorded up to 01.02.2026');
    expect(await said(notice, 'ru_RU')).toContain('видео 2 самых старых фрагментов');
  });

  it('of background work that is behind, is what waits and for how long', async () => {
    const classes = [
      { class: 'laps', waiting: 7, minutes: 12 },
      { class: 'merges', waiting: 1, minutes: 30 },
    ] as const;
    const notice: Notice = { kind: 'jobs', classes: [...classes] };
    expect(await said(notice)).toBe(
      'Background work is behind. laps: 7 waiting, the oldest for 12 min; merging of video: 1 waiting, the oldest for 30 min.',
    );
    expect(await said(notice, 'ru_RU')).toContain('круги: ждёт 7, дольше всего 12 мин');
  });

  it('of laps that could not be calculated, is how many days, and where to look', async () => {
    const notice = {
      kind: 'laps',
      days: 1,
      buses: 1,
      bus: 'А 7 АА',
      day: '2026-03-09',
      reason: 'too_long',
    } as const;
    expect(await said(notice)).toContain('The laps of 1 day could not be calculated');
    expect(await said(notice)).toContain('check the stops and the track of the route');
    expect(await said({ ...notice, days: 5, reason: 'too_large' }, 'ru_RU')).toContain(
      'Круги 5 дней не посчитаны',
    );
  });
});
