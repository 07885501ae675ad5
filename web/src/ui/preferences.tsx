import { setLanguage, useLanguage, useText } from '../i18n/language.ts';
import { Choice } from './choice.tsx';
import { setTheme, useTheme } from './theme.ts';

/** The switches for language and theme. */
export function Preferences() {
  const text = useText().shell;
  return (
    <>
      <Choice
        label={text.language}
        value={useLanguage()}
        options={[
          { value: 'ru_RU', label: 'Русский' },
          { value: 'en_US', label: 'English' },
        ]}
        onChange={(language) => void setLanguage(language)}
      />
      <Choice
        label={text.theme}
        value={useTheme()}
        options={[
          { value: 'light', label: text.light },
          { value: 'dark', label: text.dark },
          { value: 'system', label: text.system },
        ]}
        onChange={setTheme}
      />
    </>
  );
}
