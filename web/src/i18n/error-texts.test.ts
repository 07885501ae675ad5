import { describe, expect, it, vi } from 'vitest';

vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
vi.stubGlobal('window', { addEventListener: () => undefined });
const { errorText } = await import('./error-texts.ts');

describe('a failed call', () => {
  it('is told in the language of the user, with the field at fault', () => {
    const failure = { error: 'invalid_request', message: 'is not a date', field: 'date' };
    expect(errorText(failure, 'ru_RU')).toBe('Запрос заполнен неверно (date)');
    expect(errorText(failure, 'en_US')).toBe('The request is not valid (date)');
  });

  it('is told in the words of who answered when there are none of ours', () => {
    expect(errorText({ error: 'unexpected', message: 'Bad Gateway' }, 'ru_RU')).toBe('Bad Gateway');
  });
});
