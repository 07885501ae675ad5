import { useEffect, useState } from 'react';
import { useText } from '../i18n/language.ts';
import { IconButton } from './button.tsx';
import { copyText } from './copy-text.ts';
import { CopyIcon, DoneIcon } from './icons.tsx';

const DONE_SHOWN_MS = 1_500;

interface CopyButtonProps {
  value: string;
  /** The name of what is copied, where the value is too long to be its name. */
  what?: string;
}

/** A button that copies a text and confirms it for a moment. */
export function CopyButton({ value, what = value }: CopyButtonProps) {
  const text = useText().common;
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), DONE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <IconButton
      label={isDone ? text.copied : `${text.copy} ${what}`}
      onClick={() => void copyText(value).then(setDone)}
    >
      {isDone ? <DoneIcon /> : <CopyIcon />}
    </IconButton>
  );
}
