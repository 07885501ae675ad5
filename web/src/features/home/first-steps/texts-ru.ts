const anyOf = new Intl.ListFormat('ru', { type: 'disjunction' });

/** Russian texts of the first steps, and the type of the other languages. */
export const ru = {
  title: 'Первые шаги',
  text: (done: number, all: number) =>
    `Готово ${done} из ${all}. Список исчезнет, когда будет посчитан первый пассажир.`,
  failed: 'первые шаги',
  done: 'готово',
  guide: 'Что здесь к чему',
  /** Before the links to the guide's page of each protocol. */
  protocols: 'Как подключить:',
  closedPort: (name: string, port: number, why: string) =>
    `Порт ${port} (${name}) сейчас закрыт: ${why}. Прибор по нему не подключится: сообщите тому, кто обслуживает сервер.`,
  next: 'Следующий шаг',
  or: 'Или сразу',
  /** The step that a unit still needs that is there. */
  finish: { bus: 'Поставить в автобус', credential: 'Выдать ключ' },
  steps: {
    customer: {
      title: 'Клиент',
      text: 'Компания, которой принадлежат автобусы.',
      action: 'Создать',
    },
    bus: {
      title: 'Автобус',
      text: 'Название, клиент и часовой пояс: по нему считаются дни.',
      action: 'Создать',
    },
    unit: {
      title: 'Прибор в автобусе',
      /** `protocols`: those that are on. */
      text: (protocols: readonly string[]) =>
        `Бортовой прибор в этом автобусе. Ключ показывают один раз; оборудованию с ${anyOf.format(protocols)} ключ не нужен.`,
      action: 'Создать',
    },
    camera: {
      title: 'Камера',
      text: 'Имя потока и дверь, на которую она смотрит. Считать прибор может и без камеры.',
      action: 'Создать',
    },
    position: {
      title: 'Первая точка на карте',
      text: 'Прибор прислал, где автобус. Проверить можно одной командой. Адрес для приборов с другими протоколами — там же.',
      action: 'Подключить',
    },
    count: {
      title: 'Первый пассажир',
      text: 'Счётчик у двери прислал событие, и оно попало в итоги дня.',
      action: 'Подключить',
    },
  },
};
export type FirstStepsTexts = typeof ru;
