import styles from './article.module.css';

/** Characters that follow a link in a sentence are no part of it. */
const ADDRESS = /(https?:\/\/[^\s<>"«»]+[^\s<>"«».,;:!?)\]])/;

/** A plain text with its line breaks, in which web addresses are links. */
export function LinkedText({ text }: { text: string }) {
  // A split by one group puts what matched at odd places.
  const parts = text.split(ADDRESS).map((part, place) => ({ part, place }));
  return (
    <p className={styles.text}>
      {parts.map(({ part, place }) =>
        place % 2 === 0 ? (
          part
        ) : (
          <a key={place} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        ),
      )}
    </p>
  );
}
