import { MIN_PASSWORD_LENGTH } from '@ridewatch/contract/account';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { useState } from 'react';
import { textsOf } from '../i18n/texts-of.ts';
import { PasswordField } from './password-field.tsx';

// Beside their only user: the pages of links load no other texts of forms.
const ru = {
  password: 'Новый пароль',
  again: 'Ещё раз',
  differ: 'Пароли не совпадают',
  tooShort: 'Не короче 10 символов',
  tooLong: (most: number) => `Не больше ${most} символов`,
  required: 'Введите новый пароль',
};
const en: typeof ru = {
  password: 'New password',
  again: 'Once more',
  differ: 'The passwords differ',
  tooShort: 'At least 10 characters',
  tooLong: (most) => `At most ${most} characters`,
  required: 'Please input a new password',
};
const useNewPasswordText = textsOf({ ru_RU: ru, en_US: en });

/** A new password that is typed twice, for `NewPasswordFields`; `isGood` says that it may be sent. */
export function useNewPassword() {
  const text = useNewPasswordText();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const problem = problemOf(password, text);
  const againProblem = problem === undefined && again !== password ? text.differ : undefined;
  return {
    ...{ password, setPassword, again, setAgain, problem, againProblem },
    isGood: problem === undefined && againProblem === undefined,
    /** Empties both fields. */
    clear: () => {
      setPassword('');
      setAgain('');
    },
  };
}

interface NewPasswordFieldsProps {
  typed: ReturnType<typeof useNewPassword>;
  /** Whether the fields say what is wrong. */
  isTried: boolean;
  /** The server found the password too weak. */
  isRefused?: boolean;
}

/** The two fields of a new password. */
export function NewPasswordFields({ typed, isTried, isRefused = false }: NewPasswordFieldsProps) {
  const text = useNewPasswordText();
  const refused = isRefused ? text.tooShort : undefined;
  return (
    <>
      <PasswordField
        label={text.password}
        kind="new"
        value={typed.password}
        onChange={typed.setPassword}
        hint={text.tooShort}
        problem={(isTried ? typed.problem : undefined) ?? refused}
      />
      <PasswordField
        label={text.again}
        kind="new"
        value={typed.again}
        onChange={typed.setAgain}
        problem={isTried ? typed.againProblem : undefined}
      />
    </>
  );
}

function problemOf(password: string, text: typeof ru): string | undefined {
  if (password === '') return text.required;
  if (password.length > MAX_TEXT_LENGTH) return text.tooLong(MAX_TEXT_LENGTH);
  // Counted as the server counts: characters, not UTF-16 units.
  return [...password].length < MIN_PASSWORD_LENGTH ? text.tooShort : undefined;
}
