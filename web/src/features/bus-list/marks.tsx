import { drawn } from '../../ui/icons.tsx';
import type { Mark } from './bus-facts.ts';
import styles from './bus-parts.module.css';
import type { ListTexts } from './texts-ru.ts';

export const AttentionIcon = drawn('M12 4L3 20h18zM12 10v4M12 17h.01');

/** Shows what somebody should look at, the gravest first. */
export function Marks({ marks, own }: { marks: readonly Mark[]; own: ListTexts }) {
  return marks.map((mark) => {
    const said = textOf(mark, own.marks);
    return (
      <span key={mark.kind} className={styles.mark} data-level={mark.level} title={said}>
        {mark.level !== 'note' && <AttentionIcon />}
        <span>{said}</span>
      </span>
    );
  });
}

function textOf(mark: Mark, texts: ListTexts['marks']): string {
  switch (mark.kind) {
    case 'day':
      return texts.day(mark.day);
    case 'passes':
      return texts.passes(mark.day, mark.to);
    case 'camera':
      return texts.camera(mark.name, mark.more);
    case 'full':
    case 'imbalance':
      return texts[mark.kind](mark.percent);
    default:
      return texts[mark.kind](mark.count);
  }
}
