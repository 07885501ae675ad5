import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of disks. */
export const ru = {
  disk: (percent: number) => `Диск занят на ${percent} %`,
  free: (free: string, total: string) => `свободно ${free} из ${total}`,
  readAt: (machine: string, moment: string) => `${machine}, сведения за ${moment}`,
  daysLeft: (count: number) => `Хватит на ${count} ${ruForm(count, 'день', 'дня', 'дней')}`,
  steady: 'Диск не заполняется',
  unknownPace: 'На сколько хватит, станет ясно через сутки',
  yearsLeft: (years: number) =>
    `Хватит больше чем на ${years} ${ruForm(years, 'год', 'года', 'лет')}`,
  until: (percent: number) => `до ${percent} %, когда удаляется старое видео`,
  pace: 'в темпе последней недели',
  allVideo: 'всё видео',
  allVideoBeside: 'всё видео, в объектном хранилище',
  crowded:
    'Чтобы освободить место, задание удаляет самое старое видео, кроме того, что хранится без срока. Если другого нет или задание не удаётся, место будет убывать и дальше.',
  crowdedBeside: 'Растут база данных и рабочие файлы.',
  advice:
    'Сократите сроки хранения клиентам, которым хватит меньшего, или VIDEO_DAYS для всех, либо поставьте диск больше: руководство оператора из поставки (docs/install.md).',
  adviceBeside:
    'Сократите сроки хранения координат и файлов или поставьте диск больше: руководство оператора из поставки (docs/install.md).',
  toCustomers: 'Сроки хранения клиентов',
  toJobs: 'Неудавшиеся задания: среди них могут быть те, что освобождают диск',
};
export type DiskTexts = typeof ru;
