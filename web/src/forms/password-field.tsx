import { TextField } from './text-field.tsx';

interface PasswordFieldProps {
  label: string;
  /** Tells password managers whether to fill in the stored password or to propose one. */
  kind: 'current' | 'new';
  value: string;
  onChange: (value: string) => void;
  problem?: string | undefined;
  hint?: string;
}

/** A field for a password. */
export function PasswordField({ kind, onChange, ...rest }: PasswordFieldProps) {
  return (
    <TextField
      {...rest}
      type="password"
      autoComplete={`${kind}-password`}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
