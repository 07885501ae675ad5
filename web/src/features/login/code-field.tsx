import { useLayoutEffect, useRef } from 'react';
import { TextField } from '../../forms/text-field.tsx';
import { useSignInText } from './use-sign-in-text.ts';

interface CodeFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Sign-in was tried without a code. */
  isMissing: boolean;
  /** Sign-in was refused: the password was right before, so the code is to be looked at. */
  isRefused: boolean;
}

/** The field for the code of the second factor; it loads when sign-in asks for one. */
export function CodeField({ value, onChange, isMissing, isRefused }: CodeFieldProps) {
  const text = useSignInText();
  const place = useRef<HTMLDivElement>(null);
  // Before the field is painted: a key would go to no field.
  useLayoutEffect(() => place.current?.querySelector('input')?.focus(), []);
  const wrong = isRefused ? text.codeWrong : undefined;
  const problem = isMissing ? text.codeRequired : wrong;
  return (
    <div ref={place}>
      <TextField
        label={text.code}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={255}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        hint={text.codeHint}
        problem={problem}
      />
    </div>
  );
}
