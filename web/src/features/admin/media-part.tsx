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

/** A file that is on its way to the server. */
interface Upload {
  readonly file: File;
  readonly control: AbortController;
}

interface MediaPartProps {
  media: AdminMedia | null;
  /** @param signal ends the upload */
  set: (file: File, signal: AbortSignal) => Promise<unknown>;
  remove: () => Promise<unknown>;
}

/** The image or file of a news item or banner. */
export function MediaPart({ media, set, remove }: MediaPartProps) {
  const text = useNewsText();
  const [upload, setUpload] = useState<Upload>();
  const [problem, setProblem] = useState<string>();
  const [isRemoving, setRemoving] = useState(false);
  const change = async (send: () => Promise<unknown>): Promise<void> => {
    try {
      await send();
    } catch {
      // The call has shown a toast, or the user has cancelled it.
    }
    await readAgain();
  };
  const begin = (file: File) => {
    upload?.control.abort();
    const control = new AbortController();
    setUpload({ file, control });
    void change(async () => {
      await set(file, control.signal).finally(() =>
        setUpload((now) => (now?.control === control ? undefined : now)),
      );
    });
  };
  const cancel = () => {
    upload?.control.abort();
    setUpload(undefined);
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
        file={upload?.file}
        progress={upload && 1}
        isReading
        problem={problem}
        onFile={(chosen) => {
          const isFine = chosen.size > 0 && chosen.size <= MAX_MEDIA_BYTES;
          setProblem(isFine ? undefined : text.fileProblem);
          if (isFine) begin(chosen);
        }}
        onCancel={cancel}
      />
      <small>{text.fileHint}</small>
      {media && (
        <div>
          <Button
            isBusy={isRemoving}
            onClick={() => {
              setRemoving(true);
              void change(() => remove().finally(() => setRemoving(false)));
            }}
          >
            {text.remove}
          </Button>
        </div>
      )}
    </DrawerPart>
  );
}
