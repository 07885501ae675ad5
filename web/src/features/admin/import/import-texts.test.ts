import { describe, expect, it } from 'vitest';
import { en } from './import-texts-en.ts';
import { ru } from './import-texts-ru.ts';

describe('one thing is spoken of as one', () => {
  it.each([
    [ru.links(1, '1'), 'Ссылка для пароля 1 пользователя, действует сутки.'],
    [ru.links(21, '21'), 'Ссылки для паролей 21 пользователя, каждая действует сутки.'],
    [ru.links(2, '2'), 'Ссылки для паролей 2 пользователей, каждая действует сутки.'],
    [ru.keys(1, '1'), 'Ключ 1 прибора. Сохраните файл: больше ключ показан не будет.'],
    [ru.keys(21, '21'), 'Ключи 21 прибора. Сохраните файл: больше ключи показаны не будут.'],
    [ru.saveLinks(1), 'Скачать ссылку'],
    [ru.saveKeys(1), 'Скачать ключ'],
    [ru.missing(['«Автобус»']), 'Не хватает столбца: «Автобус». Выберите его'],
    [ru.shown('1', '1', '1'), 'Показана строка 1 из 1.'],
    [ru.newUnits(1), 'новый прибор'],
    [ru.newUnits(2), 'новых прибора'],
    [ru.newUnits(11), 'новых приборов'],
    [ru.newUnits(21), 'новый прибор'],
    [ru.firstFaults('500', 501, '501'), 'Показаны первые 500 из 501 ошибки'],
    [en.newUnits(1), 'new unit'],
    [en.newUnits(2), 'new units'],
    [en.links(1, '1'), 'Link for the password of 1 user, valid for 24 hours.'],
    [en.links(2, '2'), 'Links for the passwords of 2 users, each valid for 24 hours.'],
    [en.keys(1, '1'), 'Credential of 1 unit. Save the file: it will not be shown again.'],
    [en.saveLinks(1), 'Download the link'],
    [en.missing(['“Bus”']), 'A column is missing: “Bus”. Choose it'],
    [en.shown('1', '1', '1'), 'Row 1 of 1 is shown.'],
    [en.same(1), 'stays as it is'],
  ])('%s', (said, wanted) => {
    expect(said).toContain(wanted);
  });
});

it('the words that a cell may have are told apart, also those with a comma', () => {
  const words = ['по стандарту', 'по стандарту, но наоборот'];
  const fault = {
    cell: 'A2',
    row: 0,
    column: 0,
    value: 'x',
    least: null,
    most: null,
    words,
  } as const;
  expect(ru.wrong({ ...fault, reason: 'choice' })).toContain(
    'можно: «по стандарту», «по стандарту, но наоборот»',
  );
  expect(en.wrong({ ...fault, reason: 'choice' })).toContain('can be: “по стандарту”, “по');
});

describe('a cell that may mean several objects says what to do', () => {
  const fault = { cell: 'A2', row: 0, column: 0, value: 'А 1', least: null, most: null } as const;
  it.each([
    ['several', ['Анна', 'Иван'], 'у разных клиентов (Анна, Иван): укажите клиента', 'name the'],
    ['several', ['Анна'], 'у клиента «Анна» несколько: переименуйте', 'of “Анна”: rename one'],
    ['several', [], 'таких автобусов несколько: переименуйте', 'such buses: rename one'],
    ['several_clients', ['А', 'а'], '(А, а): напишите имя с фамилией', 'write name and surname'],
  ] as const)('%s, %s', (reason, words, russian, english) => {
    expect(ru.wrong({ ...fault, reason, words: [...words] })).toContain(russian);
    expect(en.wrong({ ...fault, reason, words: [...words] })).toContain(english);
  });
});
