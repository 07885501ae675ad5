export interface Room {
  readonly path: string;
  readonly holds: string;
  readonly isPure: boolean;
  readonly gives: string | undefined;
}
export const serverFeatures: readonly Room[];
export const webFeatures: readonly Room[];
