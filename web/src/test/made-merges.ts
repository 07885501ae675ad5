import type { MergeRequest } from '@ridewatch/contract/merges';
import { at } from './made.ts';

/** A merged video that is ready. */
export const merge = (id: number, more: Partial<MergeRequest> = {}): MergeRequest => ({
  id,
  status: 'COMPLETE',
  from: at('08:00'),
  to: at('09:00'),
  processed: true,
  created_at: at('10:00'),
  client_id: 20,
  client: null,
  workplace: { id: 7, name: 'А 7 АА', description: null },
  camera: { id: 1, name: 'Дверь 1' },
  timezone: 'Europe/Moscow',
  progress: 100,
  fail_reason: null,
  fragments: 12,
  size_bytes: 12_000_000,
  duration_ms: 3_600_000,
  sha256: 'ab'.repeat(32),
  download: '/api/concatenated-medias/download/1?hash=h',
  expires_at: at('10:00', '2026-03-17'),
  ...more,
});
