import { useState } from 'react';

/** Calls back while it renders, when a value is another one than in the render before. */
export function useChange<T>(value: T, onChange: () => void): void {
  const [seen, setSeen] = useState(value);
  if (seen === value) return;
  setSeen(value);
  onChange();
}
