import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useText } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import styles from './file-drop.module.css';
import { useFormText } from './use-form-text.ts';

interface FileDropProps {
  /** Accessible name. */
  label: string;
  /** File extensions that are accepted, comma-separated; absent: any file. */
  accept?: string;
  file: File | undefined;
  /** Share of the upload that is sent, 0 to 1; undefined if none is in progress. */
  progress: number | undefined;
  /** The upload is complete, and the server reads the file. */
  isReading: boolean;
  problem: string | undefined;
  onFile: (file: File) => void;
  onCancel: () => void;
}

/** Chooses a file by button or drop, and shows the progress of its upload. */
export function FileDrop(props: FileDropProps) {
  const { label, accept, file, progress, isReading, problem, onFile, onCancel } = props;
  const text = useFormText();
  const common = useText().common;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const zone = useRef<HTMLDivElement>(null);
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFile);
  // Dropping duplicates the button, so the area is not a control of its own.
  useEffect(() => {
    const element = zone.current;
    if (!element) return;
    const ended = new AbortController();
    const { signal } = ended;
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const dropped = event.dataTransfer?.files[0];
      if (dropped) take(dropped);
    };
    element.addEventListener('dragover', over, { signal });
    element.addEventListener('dragleave', () => setOver(false), { signal });
    element.addEventListener('drop', drop, { signal });
    return () => ended.abort();
  }, []);
  return (
    <div className={styles.field}>
      <div className={styles.drop} ref={zone} data-over={isOver || undefined}>
        <input
          ref={field}
          type="file"
          hidden
          accept={accept}
          aria-label={label}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            if (chosen) onFile(chosen);
            // Lets the user choose the same file again, which may have changed.
            event.target.value = '';
          }}
        />
        {file && <strong>{file.name}</strong>}
        <Button aria-describedby={`${id}-problem`} onClick={() => field.current?.click()}>
          {file ? text.otherFile : text.chooseFile}
        </Button>
        {!file && <span>{text.dropFile}</span>}
        {progress !== undefined && (
          <>
            <progress
              className={styles.progress}
              max={1}
              value={isReading ? undefined : progress}
              aria-label={label}
            />
            <span role="status">
              {isReading ? text.readingFile : text.uploading(Math.round(progress * 100))}
            </span>
            <Button onClick={onCancel}>{common.cancel}</Button>
          </>
        )}
      </div>
      <p id={`${id}-problem`} role="alert" className={styles.problem}>
        {problem}
      </p>
    </div>
  );
}
