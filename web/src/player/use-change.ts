import { useState } from 'react';

/** Calls `onChange` during the render in which the value differs from the previous one. */
export function useChange<T>(value: T, onChange: () => void): void {
  const [seen, setSeen] = useState(value);
  if (seen === value) return;
  setSeen(value);
  onChange();
}
