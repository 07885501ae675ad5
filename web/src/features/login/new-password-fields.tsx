import { useState } from 'react';
import { newPasswordProblem } from '../../forms/new-password.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { useSignInText } from './use-sign-in-text.ts';

/** A new password that is typed twice. */
export function useNewPassword() {
  const text = useSignInText();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const problem = newPasswordProblem(password, text);
  const againProblem = problem === undefined && again !== password ? text.differ : undefined;
  const isGood = problem === undefined && againProblem === undefined;
  return { password, setPassword, again, setAgain, problem, againProblem, isGood };
}

interface NewPasswordFieldsProps {
  typed: ReturnType<typeof useNewPassword>;
  /** Whether the fields say what is wrong. */
  isTried: boolean;
}

export function NewPasswordFields({ typed, isTried }: NewPasswordFieldsProps) {
  const text = useSignInText();
  return (
    <>
      <PasswordField
        label={text.password}
        kind="new"
        value={typed.password}
        onChange={typed.setPassword}
        hint={text.passwordHint}
        problem={isTried ? typed.problem : undefined}
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
