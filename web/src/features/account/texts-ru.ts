import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of the account screen, and the type of the other languages. */
export const ru = {
  title: 'Учётная запись',
  preferences: 'Вид',
  password: 'Пароль',
  oldPassword: 'Текущий пароль',
  wrongPassword: 'Текущий пароль не подходит',
  passwordChanged: 'Пароль сменён, другие сеансы завершены',
  sessions: 'Мои сеансы',
  sessionsInView: 'При просмотре от чужого имени сеансы не показаны.',
  latestSessions: (shown: string, all: string) => `Показаны последние ${shown} из ${all}.`,
  thisSession: 'этот сеанс',
  endSession: 'Завершить сеанс',
  endAllSessions: 'Выйти на всех устройствах',
  everywhere: {
    title: 'Выйти на всех устройствах?',
    /** @param count of the user's sessions; undefined if it is not known */
    text: (count: number | undefined) => {
      if (count === 1) return 'Завершится этот сеанс, других нет. Войти придётся снова.';
      const all =
        count === undefined
          ? 'Завершатся все ваши сеансы'
          : `Завершатся все ваши сеансы: ${count} ${ruForm(count, 'сеанс', 'сеанса', 'сеансов')}`;
      return `${all}, этот тоже. На каждом устройстве придётся войти снова.`;
    },
    submit: 'Завершить сеансы',
  },
  yandexBrowser: 'Яндекс Браузер',
  unknownProgram: 'Неизвестная программа',
  lastUsed: 'активность',
  moscowTime: 'МСК',
  factor: {
    title: 'Вход с кодом',
    note: 'При входе, кроме пароля, нужен код из приложения на телефоне. Чужой с одним паролем не войдёт.',
    off: 'Выключен',
    on: (since: string) => `Включён с ${since} МСК`,
    left: (count: number) => `резервных кодов осталось: ${count}`,
    begin: 'Включить',
    beginText: 'Сначала введите пароль.',
    next: 'Далее',
    scan: 'Откройте приложение с кодами (Яндекс Ключ, Google Authenticator, 2FAS) и наведите камеру на квадрат.',
    qr: 'QR-код для приложения с кодами',
    typed: 'Нет камеры? Введите ключ вручную:',
    code: 'Код из приложения',
    codeHint: 'Шесть цифр',
    anyCode: 'Код',
    anyCodeHint: 'Шесть цифр из приложения или резервный код',
    wrongCode: 'Код не подходит или уже был использован',
    confirm: 'Включить вход с кодом',
    codesTitle: 'Резервные коды',
    codesText:
      'Запишите их: больше они не покажутся. Если телефона нет под рукой, вместо кода из приложения подойдёт любой из них, каждый один раз.',
    copyAll: 'Скопировать коды',
    saveAll: 'Скачать файлом',
    fileName: 'ridewatch-rezervnye-kody.txt',
    written: 'Я их сохранил',
    unsavedTitle: 'Коды не сохранены',
    unsavedText: 'Больше они не покажутся. Сначала скопируйте их или скачайте файлом.',
    stay: 'Остаться',
    leaveCodes: 'Уйти без кодов',
    renew: 'Новые резервные коды',
    renewText: 'Прежние коды перестанут действовать.',
    remove: 'Выключить',
    removeText: 'Для входа снова хватит пароля.',
    removed: 'Вход с кодом выключен',
    password: 'Пароль',
    required: 'обязателен для вашей роли',
    requiredTitle: 'Включите вход с кодом',
    requiredNote:
      'Вашей роли нужен код из приложения в дополнение к паролю. Всё остальное откроется, когда он будет включён.',
    leave: 'Выйти',
  },
};
export type AccountTexts = typeof ru;
