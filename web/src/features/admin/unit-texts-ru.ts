import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of units: credentials, and protocols other than the unit interface. */
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
  protocols: { own: 'свой', egts: 'EGTS' },
  weakIdentity: 'номер — не пароль',
  egts: {
    counts: { delta: 'прирост', cumulative: 'показания счётчика' },
    raw_flag: { low: 'младший бит', high: 'старший бит', inverted: 'младший бит наоборот' },
    module_bytes: { little: 'младший байт первым', big: 'старший байт первым' },
    hint: 'По стандарту — первое значение. Другое выбирайте, если так сказал изготовитель прибора',
  },
};
