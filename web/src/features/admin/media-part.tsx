import type { AdminMedia } from '@ridewatch/contract/admin-news';
import { MAX_MEDIA_BYTES } from '@ridewatch/contract/news';
import { useState } from 'react';
import { FileDrop } from '../../forms/file-drop.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { DrawerPart } from './drawer-part.tsx';
import { useNewsText } from './use-news-text.ts';
import { readAgain } from './use-rows.ts';

const KB = 1024;

interface MediaPartProps {
  media: AdminMedia | null;
  set: (file: File) => Promise<unknown>;
  remove: () => Promise<unknown>;
}

/** The image or file of a news item or banner. */
export function MediaPart({ media, set, remove }: MediaPartProps) {
  const text = useNewsText();
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const [isRemoving, setRemoving] = useState(false);
  const change = async (send: () => Promise<unknown>): Promise<void> => {
    try {
      await send();
    } catch {
      // The call has shown a toast.
    }
    setFile(undefined);
    setRemoving(false);
    await readAgain();
  };
  return (
    <DrawerPart title={text.file}>
      {media && (
        <p>
          {media.name} · {media.format.toUpperCase()} ·{' '}
          {text.size(formatNumber(Math.ceil(media.bytes / KB)))}
        </p>
      )}
      <FileDrop
        label={text.file}
        file={file}
        progress={file && 1}
        isReading
        problem={problem}
        onFile={(chosen) => {
          const isFine = chosen.size > 0 && chosen.size <= MAX_MEDIA_BYTES;
          setProblem(isFine ? undefined : text.fileProblem);
          if (!isFine) return;
          setFile(chosen);
          void change(() => set(chosen));
        }}
        onCancel={() => setFile(undefined)}
      />
      <small>{text.fileHint}</small>
      {media && (
        <div>
          <Button
            isBusy={isRemoving}
            onClick={() => {
              setRemoving(true);
              void change(remove);
            }}
          >
            {text.remove}
          </Button>
        </div>
      )}
    </DrawerPart>
  );
}
