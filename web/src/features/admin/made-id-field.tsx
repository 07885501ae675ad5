import { TextField } from '../../forms/text-field.tsx';
import { Button } from '../../ui/button.tsx';
import type { ControlProps } from './form-values.ts';
import { useProtocolText } from './use-protocol-text.ts';

/** An id that somebody types, or that the server makes when it is empty. */
export function MadeIdField({ label, value, problem, hint, onChange }: ControlProps) {
  const text = useProtocolText();
  return (
    <div>
      <TextField
        {...{ label, problem, value }}
        {...(hint !== undefined && { hint })}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
      {value !== '' && <Button onClick={() => onChange('')}>{text.makeId}</Button>}
    </div>
  );
}
