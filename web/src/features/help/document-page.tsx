import { Link } from '@tanstack/react-router';
import type { DocumentPage as Name } from './address.ts';
import { Blocks } from './blocks.tsx';
import styles from './help-screen.module.css';
import type { Block } from './markdown.ts';
import { shortPages } from './protocol-documents.ts';
import { useHelpText } from './use-help-text.ts';

interface DocumentPageProps {
  name: Name;
  blocks: readonly Block[];
}

/** A document for authors of programs; in other languages with a note that it is in English. */
export function DocumentPage({ name, blocks }: DocumentPageProps) {
  const { documentNote, inShort } = useHelpText();
  const short = shortPages[name];
  return (
    <>
      {(documentNote || short !== undefined) && (
        <p className={styles.note}>
          {documentNote}{' '}
          {short !== undefined && (
            <Link to="/help/{-$page}" params={{ page: short }}>
              {inShort}
            </Link>
          )}
        </p>
      )}
      <div lang="en">
        <Blocks blocks={blocks} />
      </div>
    </>
  );
}
