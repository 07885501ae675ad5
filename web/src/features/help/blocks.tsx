import { useLocation, useRouter } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './blocks.module.css';
import type { Block, Inline } from './markdown.ts';

/** Length of the part of a code that names its button. */
const SHOWN_CHARS = 30;

/** The blocks of a document as elements, scrolled to the one that the address names. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  const hash = useLocation({ select: (location) => location.hash });
  // The router looks for it when it has changed the address: a page that loads only then has none yet.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [hash]);
  return (
    <div className={styles.document}>
      {numbered(blocks).map(({ key, item }) => (
        <One key={key} block={item} />
      ))}
    </div>
  );
}

function One({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${Math.min(block.level, 4)}` as 'h1' | 'h2' | 'h3' | 'h4';
      return <Heading id={block.id}>{block.text}</Heading>;
    }
    case 'place':
      return <span id={block.id} />;
    case 'paragraph':
      return (
        <p>
          <Line line={block.line} />
        </p>
      );
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List>
          {numbered(block.items).map(({ key, item }) => (
            <li key={key}>
              <Line line={item} />
            </li>
          ))}
        </List>
      );
    }
    case 'table':
      return <Table {...block} />;
    case 'code':
      return (
        <div className={styles.code}>
          <pre>{block.text}</pre>
          <CopyButton value={block.text} what={block.text.slice(0, SHOWN_CHARS)} />
        </div>
      );
    case 'picture':
      return <img src={block.source} alt={block.text} loading="lazy" />;
  }
}

function Table({ head, rows }: Extract<Block, { kind: 'table' }>) {
  const frame = useRef<HTMLElement>(null);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => setWide(element.scrollWidth > element.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const names = head.map((cell) => cell.map(({ text }) => text).join(''));
  const name = names.filter(Boolean).join(', ');
  const table = (
    <table>
      <thead>
        <tr>
          {numbered(head).map(({ key, item }) => (
            <HeadCell key={key} line={item} />
          ))}
        </tr>
      </thead>
      <tbody>
        {numbered(rows).map(({ key: row, item: cells }) => (
          <tr key={row}>
            {numbered(cells).map(({ key, item }) => (
              <td key={key}>
                <Line line={item} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  // The keyboard scrolls only what takes the focus.
  return (
    <section
      ref={frame}
      className={styles.wide}
      {...(isWide && { tabIndex: 0, 'aria-label': name })}
    >
      {table}
    </section>
  );
}

// A column without a name has no heading that could be read out.
function HeadCell({ line }: { line: readonly Inline[] }) {
  if (line.length === 0) return <td />;
  return (
    <th scope="col">
      <Line line={line} />
    </th>
  );
}

function Line({ line }: { line: readonly Inline[] }) {
  return numbered(line).map(({ key, item }) => <Part key={key} part={item} />);
}

function Part({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'strong':
      return <strong>{part.text}</strong>;
    case 'emphasis':
      return <em>{part.text}</em>;
    case 'code':
      return <code>{part.text}</code>;
    case 'key':
      return <kbd>{part.text}</kbd>;
    case 'link':
      return <DocumentLink to={part.to}>{part.text}</DocumentLink>;
  }
}

function DocumentLink({ to, children }: { to: string; children: string }) {
  const { history } = useRouter();
  if (/^https:/.test(to)) {
    return (
      <a href={to} target="_blank" rel="noreferrer">
        {children}
      </a>
    );
  }
  // Our decisions are no pages of the help.
  if (/^[\w-]+\//.test(to)) return children;
  const address = to.replace(/^(?:\.\.\/)*([\w-]+)\.md/, '/help/$1');
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !address.startsWith('/')) return;
    event.preventDefault();
    history.push(address);
  };
  return (
    <a href={address} onClick={follow}>
      {children}
    </a>
  );
}

// A document never changes, so its parts are known by their place.
function numbered<Item>(items: readonly Item[]): { key: number; item: Item }[] {
  return items.map((item, key) => ({ key, item }));
}
