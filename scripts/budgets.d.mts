/** One budget and what was measured against it, bytes after gzip. */
export interface Budget {
  name: string;
  kind: string;
  bytes: number;
  most: number;
}
export function measureBudgets(): Budget[];
