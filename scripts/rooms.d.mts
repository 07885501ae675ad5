export interface Room {
  readonly path: string;
  readonly holds: string;
  readonly isPure: boolean;
}
export const serverFeatures: readonly Room[];
export const webFeatures: readonly Room[];
