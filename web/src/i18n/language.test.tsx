import { act, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshServer, showPart } from '../test/open.tsx';
import { currentLanguage, currentText, setLanguage, useText } from './language.ts';
import { textsOf } from './texts-of.ts';

beforeEach(() => {
  freshServer();
});
const Shown = () => <p>{useText().shell.buses}</p>;

describe('the language of the page', () => {
  it('is Russian at first', () => {
    expect(currentLanguage()).toBe('ru_RU');
    expect(currentText().shell.buses).toBe('Автобусы');
  });

  it('changes every text at once, and is kept in this browser', async () => {
    await showPart(<Shown />, { language: 'ru_RU' });
    expect(screen.getByText('Автобусы')).toBeVisible();
    await act(() => setLanguage('en_US'));
    expect(screen.getByText('Buses')).toBeVisible();
    expect(localStorage.getItem('ridewatch.language')).toBe('"en_US"');
    expect(document.documentElement.lang).toBe('en');
  });

  it('follows another tab that switched', async () => {
    await showPart(<Shown />);
    localStorage.setItem('ridewatch.language', '"ru_RU"');
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'ridewatch.language' }));
    });
    expect(await screen.findByText('Автобусы')).toBeVisible();
    expect(document.documentElement.lang).toBe('ru');
  });

  it('is Russian where nonsense was kept', () => {
    localStorage.setItem('ridewatch.language', '{"no":"language"');
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
    expect(currentLanguage()).toBe('ru_RU');
  });

  it('chooses the texts of a room too', async () => {
    const useOwn = textsOf({ ru_RU: { word: 'слово' }, en_US: { word: 'word' } });
    const Own = () => <p>{useOwn().word}</p>;
    await showPart(<Own />);
    expect(screen.getByText('word')).toBeVisible();
    await act(() => setLanguage('ru_RU'));
    expect(screen.getByText('слово')).toBeVisible();
  });
});
