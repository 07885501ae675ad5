/** See walks.mjs. */
export interface Walk {
  readonly name: string;
  readonly said: number;
  readonly files: readonly string[];
  readonly between: readonly string[];
  readonly borders: readonly string[];
}
export function followWalk(
  files: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): Pick<Walk, 'between' | 'borders'>;
export function findWrongWalks(walks: readonly Walk[]): string[];
