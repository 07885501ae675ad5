import { useState } from 'react';
import { TextField } from '../../forms/text-field.tsx';
import { textsOf } from '../../i18n/texts-of.ts';
import type { ControlProps } from './form-values.ts';
import styles from './json-field.module.css';

const ru = {
  title: 'Для инженера',
  text: 'Объект JSON. Экраны его ключей не читают: он хранится для программ, которые берут его из API. Незнакомые ключи сохраняются.',
};
const en: typeof ru = {
  title: 'For engineers',
  text: 'A JSON object. The screens read none of its keys: it is kept for programs that take it from the API. Unknown keys are kept.',
};
const useJsonText = textsOf({ ru_RU: ru, en_US: en });

/** A text for engineers, folded until somebody opens it or something is wrong with it. */
export function JsonField({ label, value, problem, onChange }: ControlProps) {
  const text = useJsonText();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      open={isOpen || problem !== undefined}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={styles.title}>{text.title}</summary>
      <TextField
        {...{ label, value, problem }}
        hint={text.text}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
    </details>
  );
}
