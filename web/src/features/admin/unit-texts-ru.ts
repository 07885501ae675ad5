import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of units: credentials. */
export const ofUnits = {
  credential: {
    title: 'Новый ключ доступа',
    text: 'Запишите его сейчас: больше он не будет показан.',
    rotate: 'Сменить ключ',
    connect: 'Подключить',
    rotated: 'Прежние ключи перестанут действовать через сутки.',
    revoke: 'Отозвать все ключи',
    revokeText: 'Прибор перестанет передавать данные, пока не получит новый ключ.',
    issued: (when: string) => `выдан ${when}`,
    valid: (count: number) =>
      `${ruForm(count, 'действует', 'действуют', 'действуют')} ${count} ${ruForm(count, 'ключ', 'ключа', 'ключей')}`,
    none: 'нет действующих ключей',
  },
};
