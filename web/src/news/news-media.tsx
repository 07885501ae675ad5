import { findMedia, SHOWN_FORMATS } from '@ridewatch/contract/news';
import { useEndpoint } from '../calls/api.ts';
import { useText } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { DownloadIcon } from '../ui/icons.tsx';
import styles from './article.module.css';
import { useNewsText } from './use-news-text.ts';

interface NewsMediaProps {
  id: number;
  /** The subject of the image; its accessible name. */
  title: string;
}

/** The image of a news item; another file is offered for saving and never opened here. */
export function NewsMedia({ id, title }: NewsMediaProps) {
  const text = useNewsText();
  const { retry } = useText().common;
  const answer = useEndpoint(
    findMedia,
    { params: { mediaId: id } },
    // A file never changes under its id.
    { staleTime: Number.POSITIVE_INFINITY, isQuiet: () => true },
  );
  const { data, isError } = answer;
  if (data === undefined) {
    return isError ? (
      <p role="alert" className={styles.failed}>
        {text.failed} <Button onClick={() => void answer.refetch()}>{retry}</Button>
      </p>
    ) : (
      <p className={styles.waiting} aria-busy="true">
        {text.loading}
      </p>
    );
  }
  const format = SHOWN_FORMATS.find((one) => one === data.format.toLowerCase());
  if (format === undefined) {
    return (
      <a
        className={styles.file}
        href={`data:application/octet-stream;base64,${data.data}`}
        download={data.name}
      >
        <DownloadIcon />
        {text.download(data.name)}
      </a>
    );
  }
  return (
    <img className={styles.image} src={`data:image/${format};base64,${data.data}`} alt={title} />
  );
}
