// Made from server/migrations by `npm run db:types`; not edited by hand.
import type { ColumnType } from 'kysely';

type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<S, I | undefined, U>
    : ColumnType<T, T | undefined, T>;
type Json = ColumnType<unknown, string, string>;
type Numeric = ColumnType<string, number | string, number | string>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;

interface ApiKeys {
  id: Generated<number>;
  holder_id: Generated<string>;
  client_id: number;
  name: string;
  secret_hash: Buffer;
  scopes: string[];
  created_by: number;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
  last_used_at: Timestamp | null;
}

interface AsideRecords {
  id: ColumnType<number, never, never>;
  unit_id: number;
  stream_id: number;
  seq: number;
  in_test: boolean;
  received_at: Timestamp;
  record: Json;
  raw: string;
  tried_at: Timestamp | null;
}

interface AttentionCauses {
  id: ColumnType<number, never, never>;
  kind: 'silent_bus' | 'camera_offline' | 'imbalance' | 'merge_failed' | 'disk_full' | 'queue_starved' | 'runs_out' | 'unknown_unit' | 'upstream_late' | 'odd_counter' | 'upstream_refuses';
  client_id: number | null;
  workplace_id: number | null;
  camera_id: number | null;
  subject: Generated<string>;
  since: Timestamp;
  opened_at: Timestamp;
  ended_at: Timestamp | null;
  details: Json;
  key: ColumnType<string, never, never>;
}

interface AttentionDeliveries {
  id: ColumnType<number, never, never>;
  cause_id: number;
  channel: 'webhook' | 'mail';
  status: Generated<'waiting' | 'sent' | 'failed' | 'dropped'>;
  created_at: Timestamp;
  due_at: Timestamp;
  attempts: Generated<number>;
  claimed_until: Timestamp | null;
  ended_at: Timestamp | null;
  error: string | null;
}

interface AttentionSeen {
  user_id: number;
  seen_at: Timestamp;
}

interface AttentionSettings {
  client_id: number | null;
  silent_minutes: Generated<number>;
  camera_minutes: Generated<number>;
  imbalance_percent: Generated<number>;
  sent_kinds: string[];
  quiet_from: string | null;
  quiet_to: string | null;
  timezone: Generated<string>;
  webhook_url: string | null;
  webhook_secret: string | null;
  mail_to: Generated<string[]>;
  language: Generated<'ru_RU' | 'en_US'>;
}

interface AttentionWatch {
  only_row: Generated<boolean>;
  since: Timestamp;
  looked_at: Timestamp;
}

interface AuditLog {
  id: ColumnType<number, never, never>;
  at: Timestamp;
  user_id: number | null;
  unit_id: number | null;
  action: string;
  object_type: string;
  object_id: string | null;
  before: Json | null;
  after: Json | null;
  request_id: string | null;
  address: string | null;
  import_id: number | null;
  object_names: ColumnType<string[] | null, never, never>;
  left_bus_id: ColumnType<string | null, never, never>;
  entered_bus_id: ColumnType<string | null, never, never>;
}

interface BacklogSamples {
  class: string;
  minute: Timestamp;
  waiting: number;
}

interface BusDays {
  workplace_id: number;
  day: string;
  version: Generated<number>;
}

interface BusOwners {
  workplace_id: number;
  client_id: number;
  from_day: Generated<string>;
  to_day: Generated<string>;
}

interface CalculationChanges {
  id: ColumnType<number, never, never>;
  workplace_id: number;
  day: string;
  version: number;
  field: string;
  before: string | null;
  after: string | null;
  source: 'hand' | 'group';
  user_id: number;
  at: Timestamp;
}

interface Calculations {
  workplace_id: number;
  day: string;
  fare_kopecks: Generated<number>;
  salary_percent: Generated<Numeric>;
  cashless_kopecks: Generated<number>;
  calculation_event: Generated<'ENTERED' | 'EXITED'>;
  shift_start: Timestamp | null;
  shift_end: Timestamp | null;
  version: Generated<number>;
  driver: string | null;
  handed_in_kopecks: number | null;
  copied_from: string | null;
  created_at: Timestamp | null;
  updated_by: number | null;
  updated_at: Timestamp | null;
}

interface CameraStates {
  unit_id: number;
  stream_id: number;
  seq: number;
  sent_time: Timestamp;
  time: Timestamp;
  camera_id: number;
  status: 'online' | 'offline';
}

interface Cameras {
  id: ColumnType<number, never, never>;
  workplace_id: number;
  name: string;
  stream_id: string;
  live: Generated<boolean>;
  enabled: Generated<boolean>;
  status: 'online' | 'offline' | null;
  status_at: Timestamp | null;
  door: number | null;
  counts: Generated<boolean>;
  count_settings: Generated<Json>;
  count_settings_version: Generated<number>;
  offline_since: Timestamp | null;
}

interface ClientRetention {
  client_id: number;
  video_days: number | null;
  files_days: number | null;
  positions_days: number | null;
}

interface Clients {
  id: Generated<number>;
  name: string;
  patronymic: string | null;
  surname: string | null;
  status: Generated<number>;
  enabled: Generated<boolean>;
  created_at: Timestamp;
}

interface ClosedPorts {
  listener: string;
  port: number;
  reason: string;
  since: Timestamp;
  tried_at: Timestamp;
}

interface CounterChecks {
  unit_id: number;
  counts: 'delta' | 'cumulative';
  since: Timestamp | null;
  looks: 'delta' | 'cumulative' | null;
  found_at: Timestamp | null;
}

interface CounterReadings {
  unit_id: number;
  module: number;
  door: number;
  direction: 'entered' | 'exited';
  sent_time: Timestamp;
  reading: number;
  rises: Generated<number>;
  falls: Generated<number>;
}

interface DayTraffic {
  workplace_id: number;
  day: string;
  client_id: number | null;
  group_id: number | null;
  entered_adults: number;
  entered_kids: number;
  exited_adults: number;
  exited_kids: number;
  entered_manual: number;
  exited_manual: number;
  revenue_kopecks: number;
  no_price_milli: number;
  heard: number;
  heard_hours: number;
  silent_hours: number;
  closed: boolean;
  by_laps: Generated<boolean>;
}

interface DiskReadings {
  machine: string;
  hour: Timestamp;
  used_bytes: number;
}

interface Disks {
  machine: string;
  total_bytes: number;
  free_bytes: number;
  read_at: Timestamp;
}

interface FtpLogins {
  login: string;
  secret_sha256: Buffer;
  unit_id: number;
  segment_id: number;
  length_bytes: number;
  ended_at_bytes: number | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  ended_by: string | null;
  ended_twice: Generated<boolean>;
}

interface Halts {
  workplace_id: number;
  day: string;
  start_time: Timestamp;
  end_time: Timestamp;
  latitude: number;
  longitude: number;
  lap: number | null;
  position: number | null;
  entered: number;
  exited: number;
}

interface HourlyTraffic {
  workplace_id: number;
  hour_start: Timestamp;
  entered_adults: Generated<number>;
  entered_kids: Generated<number>;
  exited_adults: Generated<number>;
  exited_kids: Generated<number>;
  unit_id: number;
  entered_manual: Generated<number>;
  exited_manual: Generated<number>;
  entered_outside: Generated<number>;
  exited_outside: Generated<number>;
}

interface Imports {
  id: ColumnType<number, never, never>;
  at: Timestamp;
  user_id: number;
  kind: 'customers' | 'users' | 'buses' | 'units' | 'cameras';
  file: string;
  created: number;
  changed: number;
  undone_at: Timestamp | null;
}

interface Installation {
  only_row: Generated<boolean>;
  demo: boolean;
  created_at: Timestamp;
}

interface IntegratorClients {
  integrator_id: number;
  client_id: number;
}

interface Knocks {
  id: ColumnType<number, never, never>;
  protocol: string;
  protocol_id: string;
  address: string;
  first_at: Timestamp;
  last_at: Timestamp;
  records: number;
  sent_time: Timestamp | null;
  latitude: number | null;
  longitude: number | null;
  ignored: Generated<boolean>;
  counted_time: Timestamp | null;
  door: number | null;
  entered: number | null;
  exited: number | null;
}

interface LapDays {
  workplace_id: number;
  day: string;
  computed_at: Timestamp | null;
  halts_digest: Generated<string>;
  asked_at: Timestamp | null;
  due_at: Timestamp | null;
  taken: Generated<number>;
  taken_at: Timestamp | null;
  stored: Generated<number>;
  failure: 'too_long' | 'too_large' | null;
  failures: Generated<number>;
  retry_at: Timestamp | null;
  is_slow: Generated<boolean>;
  edited_take: Generated<number>;
}

interface LapRecalculations {
  id: ColumnType<number, never, never>;
  workplace_id: number;
  user_id: number;
  date_from: string;
  date_to: string;
  next_day: string;
  changed: Generated<Json>;
  failed: Generated<Json>;
  created_at: Timestamp;
  cancelled_at: Timestamp | null;
  ended_at: Timestamp | null;
}

interface LapStops {
  lap_id: number;
  position: number;
  route_stop_id: number | null;
  classifier_id: number | null;
  name: string;
  latitude: number;
  longitude: number;
  direction: string | null;
  arrival: Timestamp | null;
  departure: Timestamp | null;
  distance_m: number | null;
  evidence: string | null;
  skipped: string | null;
  confidence: number;
  entered: number;
  exited: number;
  raw_load: number;
  load: number;
  passed_at: Timestamp | null;
}

interface Laps {
  id: ColumnType<number, never, never>;
  workplace_id: number;
  day: string;
  number: number;
  group_id: number | null;
  start_time: Timestamp;
  end_time: Timestamp;
  legs: Json;
  open: boolean;
  incomplete: string | null;
  entered: number;
  exited: number;
  unplaced: number;
  max_load: number;
  drift: number;
  imbalance: number;
  revenue_kopecks: number | null;
  revenue_error_kopecks: number | null;
  no_price: Generated<number>;
  digest: Generated<string>;
  pattern_id: number | null;
  pattern_name: string | null;
  no_price_pairs: Generated<Json>;
}

interface LivePieces {
  stream_id: number;
  name: string;
  bytes: Buffer;
  put_at: Timestamp;
}

interface LiveStreams {
  id: ColumnType<number, never, never>;
  camera_id: number;
  unit_id: number;
  key: Generated<string>;
  started_at: Timestamp;
  asked_at: Timestamp;
  wanted_until: Timestamp;
  playlist: Json | null;
  pushed_at: Timestamp | null;
  ended_at: Timestamp | null;
  fail_reason: 'no_answer' | 'unit_failed' | 'not_a_video' | 'no_channel' | 'live_not_set_up' | null;
  fail_detail: string | null;
}

interface LoginFailures {
  login: string;
  address: string;
  at: Timestamp;
  id: ColumnType<number, never, never>;
  pending: Generated<boolean>;
}

interface ManualCounts {
  segment_id: number;
  entered: number | null;
  exited: number | null;
  entered_kids: number | null;
  exited_kids: number | null;
  updated_by: number;
  updated_at: Timestamp;
  replaced_reviewed_at: Timestamp | null;
  replaced_reviewed_by: number | null;
}

interface Media {
  id: ColumnType<number, never, never>;
  name: string;
  format: string;
  created_at: Timestamp;
  data: Buffer;
}

interface MergeRequestSegments {
  request_id: number;
  segment_id: number;
}

interface MergeRequests {
  id: ColumnType<number, never, never>;
  camera_id: number;
  client_id: number | null;
  user_id: number;
  from_time: Timestamp;
  to_time: Timestamp;
  processed: boolean;
  status: Generated<'PROCESS' | 'FAILED' | 'COMPLETE' | 'SENT'>;
  progress: Generated<number>;
  fail_reason: string | null;
  storage_key: string | null;
  size_bytes: number | null;
  sha256: Buffer | null;
  created_at: Timestamp;
  completed_at: Timestamp | null;
  worked_at: Timestamp | null;
  duration_ms: number | null;
  deleted_at: Timestamp | null;
}

interface MessageClosings {
  message_id: number;
  user_id: number;
  closed_at: Timestamp;
}

interface Messages {
  id: ColumnType<number, never, never>;
  title: string;
  text: string;
  active: Generated<boolean>;
  created_at: Timestamp;
  key: string | null;
  for_admins: Generated<boolean>;
  details: Json | null;
  date_from: Timestamp | null;
  date_to: Timestamp | null;
  media_id: number | null;
}

interface Migrations {
  name: string;
  applied_at: Generated<Timestamp>;
}

interface MonthProfiles {
  workplace_id: number;
  month: string;
  entered: number[];
  exited: number[];
}

interface News {
  id: ColumnType<number, never, never>;
  type: Generated<'NEWS' | 'FAQ'>;
  title: string;
  text: string;
  date_from: Timestamp;
  active: Generated<boolean>;
  media_id: number | null;
  created_at: Timestamp;
}

interface NewsReads {
  news_id: number;
  user_id: number;
  read_at: Timestamp;
}

interface PassengerEvents {
  unit_id: number;
  stream_id: number;
  seq: number;
  sent_time: Timestamp;
  time: Timestamp;
  workplace_id: number | null;
  door: number;
  direction: 'entered' | 'exited';
  passenger: 'adult' | 'child';
  count: number;
  in_test: Generated<boolean>;
}

interface PasswordLinks {
  user_id: number;
  token_hash: Buffer;
  created_at: Timestamp;
  expires_at: Timestamp;
}

interface PastAssignments {
  unit_id: number;
  workplace_id: number;
  from_at: Timestamp;
  until_at: Timestamp;
}

interface PositionBlocks {
  unit_id: number;
  block_start: Timestamp;
  point_count: number;
  first_time: Timestamp;
  last_time: Timestamp;
  points: Buffer;
}

interface PreloadSegments {
  preload_id: number;
  segment_id: number;
  percent: Generated<number>;
  ended_at: Timestamp | null;
  also_wanted: Generated<boolean>;
}

interface Preloads {
  id: ColumnType<number, never, never>;
  unit_id: number;
  workplace_id: number;
  user_id: number;
  camera_ids: number[];
  from_time: Timestamp;
  to_time: Timestamp;
  created_at: Timestamp;
  command_ids: Generated<number[]>;
  cancelled_at: Timestamp | null;
}

interface Recalculations {
  id: ColumnType<number, never, never>;
  workplace_id: number;
  user_id: number;
  camera_ids: number[];
  from_time: Timestamp;
  to_time: Timestamp;
  reload: boolean;
  created_at: Timestamp;
  after_id: Generated<number>;
  listed_at: Timestamp | null;
}

interface RecoveryCodes {
  user_id: number;
  code_hash: Buffer;
}

interface RefreshTokens {
  token_hash: Buffer;
  session_id: string;
  issued_at: Timestamp;
  expires_at: Timestamp;
  used_at: Timestamp | null;
}

interface RefusedSenders {
  listener: string;
  address: string;
  refused_at: Timestamp;
}

interface RegistrarFiles {
  segment_id: number;
  size_bytes: number;
  media: number;
  stream: number;
  storage: number;
}

interface Reports {
  id: ColumnType<number, never, never>;
  user_id: number;
  kind: string;
  parameters: Json;
  status: Generated<'PROCESS' | 'COMPLETE' | 'FAILED'>;
  progress: Generated<number>;
  fail_reason: 'cancelled' | 'not_found' | 'no_right' | 'too_large' | 'no_space' | 'failed' | null;
  storage_key: string | null;
  size_bytes: number | null;
  created_at: Timestamp;
  completed_at: Timestamp | null;
  format: Generated<'xlsx' | 'csv'>;
  language: Generated<'ru_RU' | 'en_US'>;
  row_count: number | null;
  sha256: Buffer | null;
  bus_ids: number[] | null;
  worked_at: Timestamp | null;
}

interface RouteCalculations {
  group_id: number;
  valid_from: string;
  type_calculation: 'FIXED' | 'CALCULATION';
}

interface RouteCosts {
  id: ColumnType<number, never, never>;
  group_id: number;
  from_stop_id: number;
  to_stop_id: number;
  cost_kopecks: number;
  valid_from: string;
  valid_to: string | null;
}

interface RouteGroups {
  id: ColumnType<number, never, never>;
  client_id: number;
  name: string;
  deleted: Generated<boolean>;
  type_calculation: Generated<'FIXED' | 'CALCULATION'>;
}

interface RoutePatternVersions {
  pattern_id: number;
  valid_from: string;
  valid_to: string | null;
  name: string;
  stop_ids: number[] | null;
  track: Json | null;
  runs: number | null;
}

interface RoutePatterns {
  id: ColumnType<number, never, never>;
  group_id: number;
}

interface RouteStopVersions {
  stop_id: number;
  valid_from: string;
  valid_to: string | null;
  classifier_id: number;
  name: string;
  latitude: number;
  longitude: number;
  order_key: number;
  route_direction: 'FORWARD' | 'REVERSE';
  terminal: 'first' | 'last' | null;
  in_default: Generated<boolean>;
}

interface RouteStops {
  id: ColumnType<number, never, never>;
  group_id: number;
}

interface RouteTracks {
  group_id: number;
  valid_from: string;
  track: Json;
}

interface RouteTraffic {
  client_id: number;
  day: string;
  group_id: number;
  entered_adults: number;
  entered_kids: number;
  exited_adults: number;
  exited_kids: number;
  revenue_kopecks: number;
  no_price_milli: number;
  heard_hours: number;
  silent_hours: number;
}

interface SecondFactors {
  user_id: number;
  secret: Buffer;
  created_at: Timestamp;
  confirmed_at: Timestamp | null;
  last_step: Generated<number>;
}

interface SegmentAnnouncements {
  unit_id: number;
  stream_id: number;
  seq: number;
  segment_id: number;
  camera_id: number;
  sent_time: Timestamp;
  time: Timestamp;
  sent_start: Timestamp;
  sent_end: Timestamp;
  start_time: Timestamp;
  end_time: Timestamp;
  video: 'adding' | 'queued' | 'kept';
  max_objects_count: number | null;
}

interface SegmentFiles {
  segment_id: number;
  variant: 'source' | 'playable' | 'preview';
  storage_key: string;
  size_bytes: number;
  sha256: Buffer;
  duration_ms: number | null;
  codec: string | null;
  width: number | null;
  height: number | null;
  created_at: Timestamp;
  format: string | null;
  time_base: string | null;
  frame_rate: number | null;
  audio_codec: string | null;
  time_map: Json | null;
  sprite: Json | null;
  time_maps: Json | null;
}

interface Segments {
  id: ColumnType<number, never, never>;
  camera_id: number;
  unit_id: number;
  stream_id: number;
  seq: number;
  sent_start: Timestamp;
  sent_end: Timestamp;
  start_time: Timestamp;
  end_time: Timestamp;
  status: 'ADDING' | 'ADDED' | 'DOWNLOADING_FROM_TASK' | 'LOADING' | 'LOADED' | 'PROCESSING' | 'PROCESSED' | 'MERGING' | 'WAS_MERGED' | 'DOWNLOAD_FAIL' | 'LIVE';
  status_at: Timestamp;
  fail_reason: 'cancelled' | 'damaged' | 'not_a_video' | 'not_playable' | 'not_decodable' | 'not_checked' | 'shorter_than_stored' | 'longer_than_asked' | 'upload_stopped' | 'upload_abandoned' | 'upload_too_long' | 'not_sent' | 'nothing_sent' | 'unit_failed' | 'unit_gave_up' | 'no_answer' | 'not_announced' | 'request_lost' | 'not_counted' | 'counting_stuck' | 'merge_cancelled' | 'merge_failed' | 'merge_stuck' | 'no_channel' | 'no_recording' | 'uploads_not_set_up' | null;
  max_objects_count: Generated<number>;
  info: Generated<Json>;
  reviewed_at: Timestamp | null;
  reviewed_by: number | null;
  created_at: Timestamp;
  failed_tries: Generated<number>;
  retry_at: Timestamp | null;
  status_from: string | null;
  kept_at: Timestamp | null;
  kept_by: number | null;
  video_deleted_at: Timestamp | null;
  video_deleted_for: 'age' | 'space' | null;
  recalculation_id: number | null;
  counting_percent: number | null;
  fail_detail: string | null;
}

interface Sessions {
  id: Generated<string>;
  user_id: number;
  created_at: Timestamp;
  last_used_at: Timestamp;
  address: string;
  user_agent: string;
  revoked_at: Timestamp | null;
  revoke_reason: string | null;
  opened_by: string | null;
  by_openid: Generated<boolean>;
}

interface SetupLinks {
  id: Generated<number>;
  token_hash: Buffer;
  created_at: Timestamp;
  expires_at: Timestamp;
}

interface SigningKeys {
  id: ColumnType<number, never, never>;
  purpose: 'access_token' | 'video' | 'jt808_code';
  secret: Buffer;
  created_at: Timestamp;
  retired_at: Timestamp | null;
}

interface StaleHours {
  workplace_id: number;
  day: string;
}

interface StaleProfiles {
  workplace_id: number;
  day: string;
}

interface StopClassifiers {
  id: ColumnType<number, never, never>;
  client_id: number;
  name: string;
  latitude: number;
  longitude: number;
}

interface TestReleases {
  unit_id: number;
  since: Timestamp;
  total: number;
  released: Generated<number>;
}

interface UnitAssignments {
  workplace_id: number;
  unit_id: number;
  from_at: Timestamp;
  until_at: Timestamp;
}

interface UnitCommands {
  id: ColumnType<number, never, never>;
  unit_id: number;
  kind: 'fetch_segment' | 'fetch_range' | 'stop_fetch' | 'report_camera_states' | 'start_live' | 'stop_live';
  segment_id: number | null;
  created_at: Timestamp;
  accepted_at: Timestamp | null;
  finished_at: Timestamp | null;
  result: 'done' | 'failed' | 'cancelled' | null;
  reason: string | null;
  camera_id: number | null;
  sent_start: Timestamp | null;
  sent_end: Timestamp | null;
  range_start: Timestamp | null;
  range_end: Timestamp | null;
  live_key: string | null;
  stops: number[] | null;
  preload_id: number | null;
  fail_reason: 'no_answer' | 'no_channel' | 'no_recording' | 'uploads_not_set_up' | null;
}

interface UnitCredentials {
  id: ColumnType<number, never, never>;
  unit_id: number;
  secret_hash: Buffer;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
  refused_at: Timestamp | null;
}

interface UnitFeed {
  id: ColumnType<number, never, never>;
  unit_id: number;
  received_at: Timestamp;
  status: number;
  bytes: number;
  body: string | null;
  answer: string | null;
}

interface UnitStreams {
  id: ColumnType<number, never, never>;
  unit_id: number;
  stream: string;
  received: Generated<string>;
  created_at: Timestamp;
  unplaced: Generated<string>;
}

interface Units {
  id: ColumnType<number, never, never>;
  device_id: string;
  workplace_id: number | null;
  enabled: Generated<boolean>;
  last_seen_at: Timestamp | null;
  last_fix_at: Timestamp | null;
  last_latitude: number | null;
  last_longitude: number | null;
  last_course: number | null;
  last_speed_kmh: number | null;
  created_at: Timestamp;
  last_moved_at: Timestamp | null;
  positions_from: Timestamp | null;
  batches: Generated<number>;
  backlog_from: Timestamp | null;
  owner_id: number | null;
  firmware: string | null;
  clock_offset_ms: number | null;
  test_since: Timestamp | null;
  feed_until: Timestamp | null;
  assigned_from: Generated<Timestamp>;
  protocol: string | null;
  protocol_id: string | null;
  protocol_settings: Generated<Json>;
  listed_until: Timestamp | null;
}

interface UnknownCredentials {
  only_row: Generated<boolean>;
  refused_at: Timestamp;
}

interface UnknownUnits {
  id: number;
  protocol: string;
  protocol_id: string;
  address: string;
  first_at: Timestamp;
  last_at: Timestamp;
  records: number;
  sent_time: Timestamp | null;
  latitude: number | null;
  longitude: number | null;
  ignored: boolean;
  counted_time: Timestamp | null;
  door: number | null;
  entered: number | null;
  exited: number | null;
}

interface UnsettledDays {
  workplace_id: number;
  day: string;
}

interface Uploads {
  id: string;
  unit_id: number;
  segment_id: number;
  storage_key: string;
  length_bytes: number;
  sha256: string | null;
  created_at: Timestamp;
  finished_at: Timestamp | null;
  lock_holder: string | null;
  lock_until: Timestamp | null;
  lock_wanted: Generated<boolean>;
  received_bytes: Generated<number>;
  received_at: Timestamp;
  stopped_at: Timestamp | null;
}

interface UpstreamBuses {
  upstream_id: number;
  workplace_id: number;
  object_id: number;
}

interface UpstreamClients {
  upstream_id: number;
  client_id: number;
}

interface UpstreamParked {
  upstream_id: number;
  id: number;
  unit_id: number;
  stored_at: Timestamp;
  records: number;
  points: Buffer | null;
  people: Json | null;
}

interface UpstreamQueue {
  id: ColumnType<number, never, never>;
  upstream_id: number;
  unit_id: number;
  workplace_id: number;
  stored_at: Timestamp;
  due_at: Timestamp;
  tries: Generated<number>;
  records: number;
  points: Buffer | null;
  people: Json | null;
  back_at: Timestamp | null;
}

interface UpstreamRefusals {
  upstream_id: number;
  code: number;
  records: number;
  last_at: Timestamp;
  workplace_id: number;
}

interface UpstreamTurns {
  upstream_id: number;
  workplace_id: number;
  second: number;
  queue_id: number;
  turn: number;
  taken_at: Timestamp;
}

interface UpstreamUnregistered {
  upstream_id: number;
  id: number;
  unit_id: number;
  workplace_id: number;
  stored_at: Timestamp;
  records: number;
  points: Buffer | null;
  people: Json | null;
}

interface Upstreams {
  id: ColumnType<number, never, never>;
  name: string;
  host: string;
  port: number;
  enabled: Generated<boolean>;
  sign_in: Generated<'none' | 'dispatcher' | 'terminal'>;
  sign_in_id: number | null;
  sign_in_text: string | null;
  all_clients: Generated<boolean>;
  with_people: Generated<boolean>;
  late_minutes: Generated<number>;
  created_at: Timestamp;
  version: Generated<number>;
  holder: string | null;
  held_until: Timestamp | null;
  connected_since: Timestamp | null;
  last_confirmed_at: Timestamp | null;
  fault: string | null;
  fault_code: number | null;
  fault_since: Timestamp | null;
  confirmed: Generated<number>;
  fallen: Generated<number>;
  fallen_at: Timestamp | null;
  next_try_at: Timestamp | null;
}

interface Users {
  id: Generated<number>;
  login: string;
  password_hash: string;
  role: 'ADMIN' | 'INTEGRATOR' | 'CUSTOMER' | 'OPERATOR';
  client_id: number | null;
  enabled: Generated<boolean>;
  can_edit: Generated<boolean>;
  created_at: Timestamp;
  openid_issuer: string | null;
  openid_subject: string | null;
}

interface VideoEvents {
  segment_id: number;
  position: number;
  time: Timestamp;
  direction: 'entered' | 'exited';
  passenger: 'adult' | 'child';
  count: number;
}

interface WatchedBuses {
  workplace_id: number;
  wanted_until: Timestamp;
}

interface WorkplaceClients {
  workplace_id: number;
  client_id: number;
}

interface WorkplaceSettings {
  workplace_id: number;
  valid_from: string;
  group_id: number | null;
  timezone: Generated<string>;
  terminal_stop_id: number | null;
  count_source: Generated<'unit' | 'video'>;
}

interface Workplaces {
  id: ColumnType<number, never, never>;
  name: string;
  description: string | null;
  type: Generated<'VMS' | 'COUNTER'>;
  gps_trackable: Generated<boolean>;
  config: Generated<string>;
  count_passengers_inside: Generated<boolean>;
  bus_calculation: Generated<boolean>;
  capacity_seated: number | null;
  capacity_standing: number | null;
  created_at: Timestamp;
  counted_until: Timestamp | null;
  retired_at: Timestamp | null;
}

export interface DB {
  api_keys: ApiKeys;
  aside_records: AsideRecords;
  attention_causes: AttentionCauses;
  attention_deliveries: AttentionDeliveries;
  attention_seen: AttentionSeen;
  attention_settings: AttentionSettings;
  attention_watch: AttentionWatch;
  audit_log: AuditLog;
  backlog_samples: BacklogSamples;
  bus_days: BusDays;
  bus_owners: BusOwners;
  calculation_changes: CalculationChanges;
  calculations: Calculations;
  camera_states: CameraStates;
  cameras: Cameras;
  client_retention: ClientRetention;
  clients: Clients;
  closed_ports: ClosedPorts;
  counter_checks: CounterChecks;
  counter_readings: CounterReadings;
  day_traffic: DayTraffic;
  disk_readings: DiskReadings;
  disks: Disks;
  ftp_logins: FtpLogins;
  halts: Halts;
  hourly_traffic: HourlyTraffic;
  imports: Imports;
  installation: Installation;
  integrator_clients: IntegratorClients;
  knocks: Knocks;
  lap_days: LapDays;
  lap_recalculations: LapRecalculations;
  lap_stops: LapStops;
  laps: Laps;
  live_pieces: LivePieces;
  live_streams: LiveStreams;
  login_failures: LoginFailures;
  manual_counts: ManualCounts;
  media: Media;
  merge_request_segments: MergeRequestSegments;
  merge_requests: MergeRequests;
  message_closings: MessageClosings;
  messages: Messages;
  migrations: Migrations;
  month_profiles: MonthProfiles;
  news: News;
  news_reads: NewsReads;
  passenger_events: PassengerEvents;
  password_links: PasswordLinks;
  past_assignments: PastAssignments;
  position_blocks: PositionBlocks;
  preload_segments: PreloadSegments;
  preloads: Preloads;
  recalculations: Recalculations;
  recovery_codes: RecoveryCodes;
  refresh_tokens: RefreshTokens;
  refused_senders: RefusedSenders;
  registrar_files: RegistrarFiles;
  reports: Reports;
  route_calculations: RouteCalculations;
  route_costs: RouteCosts;
  route_groups: RouteGroups;
  route_pattern_versions: RoutePatternVersions;
  route_patterns: RoutePatterns;
  route_stop_versions: RouteStopVersions;
  route_stops: RouteStops;
  route_tracks: RouteTracks;
  route_traffic: RouteTraffic;
  second_factors: SecondFactors;
  segment_announcements: SegmentAnnouncements;
  segment_files: SegmentFiles;
  segments: Segments;
  sessions: Sessions;
  setup_links: SetupLinks;
  signing_keys: SigningKeys;
  stale_hours: StaleHours;
  stale_profiles: StaleProfiles;
  stop_classifiers: StopClassifiers;
  test_releases: TestReleases;
  unit_assignments: UnitAssignments;
  unit_commands: UnitCommands;
  unit_credentials: UnitCredentials;
  unit_feed: UnitFeed;
  unit_streams: UnitStreams;
  units: Units;
  unknown_credentials: UnknownCredentials;
  unknown_units: UnknownUnits;
  unsettled_days: UnsettledDays;
  uploads: Uploads;
  upstream_buses: UpstreamBuses;
  upstream_clients: UpstreamClients;
  upstream_parked: UpstreamParked;
  upstream_queue: UpstreamQueue;
  upstream_refusals: UpstreamRefusals;
  upstream_turns: UpstreamTurns;
  upstream_unregistered: UpstreamUnregistered;
  upstreams: Upstreams;
  users: Users;
  video_events: VideoEvents;
  watched_buses: WatchedBuses;
  workplace_clients: WorkplaceClients;
  workplace_settings: WorkplaceSettings;
  workplaces: Workplaces;
}
