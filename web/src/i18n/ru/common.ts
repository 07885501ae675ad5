import { formatNumber, spanOf } from '../format.ts';
import { ruForm } from '../plural.ts';

const units = { s: 'с', min: 'мин', h: 'ч', d: 'д' };

export const common = {
  buses: (count: number) =>
    `${formatNumber(count)} ${ruForm(count, 'автобус', 'автобуса', 'автобусов')}`,
  ago: (spanMs: number) => {
    const { count, unit } = spanOf(spanMs);
    return `${count} ${units[unit]} назад`;
  },
  cancel: 'Отмена',
  save: 'Сохранить',
  close: 'Закрыть',
  retry: 'Повторить',
  copy: 'Скопировать',
  copied: 'Скопировано',
  loading: 'Загрузка…',
  locked: 'Это просмотр от чужого имени: менять ничего нельзя',
  online: 'в сети',
  offline: 'не в сети',
  connectionLost: 'Нет связи с сервером. Данные обновятся, когда она вернётся.',
  loadFailed: 'Не удалось загрузить',
  notifications: 'Уведомления',
  crashTitle: 'Страница не открылась',
  crashText: 'В программе случилась ошибка, или она обновилась, пока страница была открыта.',
  reload: 'Обновить страницу',
};
