import type { FeedWay } from '@ridewatch/contract/feed-ways';
import { MAX_PATTERNS } from '@ridewatch/contract/route-patterns';
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { Select } from '../../../forms/select.tsx';
import { textsOf } from '../../../i18n/texts-of.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import { choiceOf, type FeedPattern, patternsOf, unusedPattern } from './feed-choice.ts';
import styles from './feed-patterns.module.css';

const ru = {
  title: 'Варианты маршрута',
  text: 'Первый вариант основной; каждый круг получит тот, который подходит лучше.',
  one: (number: number) => `Вариант ${number}`,
  there: 'Туда',
  back: 'Обратно',
  noBack: 'нет',
  trips: (way: FeedWay) => `${way.name} (×${way.trips})`,
  remove: (number: number) => `Убрать вариант ${number}`,
  add: 'Добавить вариант',
  all: (count: number) => `Взять все: ${count}`,
};
const en: typeof ru = {
  title: 'Patterns of the route',
  text: 'The first is the default; each lap will get the one that fits it best.',
  one: (number) => `Pattern ${number}`,
  there: 'There',
  back: 'Back',
  noBack: 'none',
  trips: (way) => `${way.name} (×${way.trips})`,
  remove: (number) => `Leave out pattern ${number}`,
  add: 'Add a pattern',
  all: (count) => `Take all: ${count}`,
};
const useFeedText = textsOf({ ru_RU: ru, en_US: en });

/** The option for a pattern that goes one way. */
const NONE = '-';

interface FeedPatternsProps {
  proposal: Pick<RouteProposal, 'choice' | 'choices' | 'ways'>;
  isBusy: boolean;
  onChoice: (choice: string) => void;
}

/** The patterns that a GTFS feed gives the route: of each the way there and the way back. */
export function FeedPatterns({ proposal, isBusy, onChoice }: FeedPatternsProps) {
  const text = useFeedText();
  const { choice, choices } = proposal;
  const patterns = choice === null ? [] : patternsOf(choice);
  const route = proposal.ways.find(({ id }) => id === patterns[0]?.there)?.route;
  const ways = proposal.ways.filter((way) => way.route === route);
  if (ways.length < 2) return null;
  const options = ways.map((way) => ({ value: way.id, label: text.trips(way) }));
  const all = choices.find(
    ({ id }) => id.includes(',') && patternsOf(id)[0]?.there.startsWith(`${route}.`),
  );
  const next = unusedPattern(patterns, ways);
  const set = (changed: readonly FeedPattern[]) => onChoice(choiceOf(changed));
  const change = (at: number, to: FeedPattern) =>
    set(patterns.map((one, index) => (index === at ? to : one)));
  return (
    <section className={styles.patterns} aria-label={text.title} aria-busy={isBusy || undefined}>
      <h4>{text.title}</h4>
      <p className={styles.text}>{text.text}</p>
      <ol className={styles.list} inert={isBusy}>
        {patterns.map((pattern, at) => (
          <li key={`${pattern.there}+${pattern.back}`} aria-label={text.one(at + 1)}>
            <div className={styles.ways}>
              <Select
                label={text.there}
                value={pattern.there}
                options={options}
                onChange={(there) => change(at, { ...pattern, there })}
              />
              <Select
                label={text.back}
                value={pattern.back ?? NONE}
                options={[{ value: NONE, label: text.noBack }, ...options]}
                onChange={(back) =>
                  change(at, { ...pattern, back: back === NONE ? undefined : back })
                }
              />
            </div>
            {patterns.length > 1 && (
              <IconButton
                label={text.remove(at + 1)}
                onClick={() => set(patterns.filter((_, index) => index !== at))}
              >
                <CloseIcon />
              </IconButton>
            )}
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        {next && patterns.length < MAX_PATTERNS && (
          <Button disabled={isBusy} onClick={() => set([...patterns, next])}>
            {text.add}
          </Button>
        )}
        {all && all.id !== choice && (
          <Button disabled={isBusy} onClick={() => onChoice(all.id)}>
            {text.all(patternsOf(all.id).length)}
          </Button>
        )}
      </div>
    </section>
  );
}
