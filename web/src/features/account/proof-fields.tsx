import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import type { ApiError } from '../../core/api-error.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useAccountText } from './use-account-text.ts';

/** Whether a field of a form about one's own sign-in says a refusal; others show a toast. */
export const isToldByField = ({ error }: ApiError): boolean =>
  error === 'wrong_password' || error === 'wrong_code' || error === 'weak_password';

interface ProofFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** The text about an empty field. */
  missing: string | undefined;
  /** Of the call that got the value. */
  error: ApiError | null;
}

/** The field for one's own password. */
export function OwnPasswordField({ value, onChange, missing, error }: ProofFieldProps) {
  const { factor: text, wrongPassword } = useAccountText();
  const isWrong = error?.error === 'wrong_password';
  return (
    <PasswordField
      label={text.password}
      kind="current"
      value={value}
      onChange={onChange}
      problem={missing ?? (isWrong ? wrongPassword : undefined)}
    />
  );
}

/** The field for a code. @param isOfApp whether recovery codes do not count */
export function CodeField(props: ProofFieldProps & { isOfApp?: boolean }) {
  const { value, onChange, missing, error, isOfApp = false } = props;
  const { factor: text } = useAccountText();
  const isWrong = error?.error === 'wrong_code';
  return (
    <TextField
      label={isOfApp ? text.code : text.anyCode}
      autoComplete="one-time-code"
      inputMode={isOfApp ? 'numeric' : 'text'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={MAX_TEXT_LENGTH}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      hint={isOfApp ? text.codeHint : text.anyCodeHint}
      problem={missing ?? (isWrong ? text.wrongCode : undefined)}
    />
  );
}
