/** Russian texts of sign-in that load when they are needed, and the type of the other languages. */
export const ru = {
  code: 'Код',
  codeHint: 'Шесть цифр из приложения или резервный код',
  codeRequired: 'Введите код',
  codeWrong: 'Код не подходит или уже был использован',
  title: 'Новый пароль',
  forLogin: (login: string) => `Для входа под логином ${login}`,
  submit: 'Сохранить пароль',
  invalidTitle: 'Ссылка не действует',
  invalidText:
    'По ней уже задали пароль, её срок истёк или её заменила другая. Попросите администратора прислать новую.',
  doneTitle: 'Пароль задан',
  doneText: 'Все прежние сеансы завершены. Войдите с новым паролем.',
  toSignIn: 'Войти',
  signingIn: 'Входим…',
  setupTitle: 'Первый администратор',
  setupText:
    'Это новая установка. Придумайте логин и пароль администратора — остальных заведёт он.',
  setupLogin: 'Логин',
  setupSubmit: 'Создать и войти',
  setupInvalidText:
    'По ней уже создали администратора, её срок истёк или администратор уже есть. Если его нет, сервер напечатает новую ссылку после перезапуска.',
  loginRequired: 'Введите логин',
  loginConfusing: 'Без невидимых символов и пробелов по краям, не больше 255 символов',
  loginTaken: 'Такой логин уже есть',
};
export type SignInTexts = typeof ru;
