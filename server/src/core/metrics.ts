import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly requests: Counter<'method' | 'path' | 'status'>;
  readonly requestSeconds: Histogram<'method' | 'path'>;
  readonly records: Counter<'type' | 'outcome'>;
  readonly droppedFields: Counter<'unit' | 'field'>;
  readonly batchSeconds: Histogram;
  readonly batchBytes: Counter<'form'>;
  readonly listenersOpen: Gauge<'listener'>;
  readonly terminalStreams: Gauge;
  readonly streamConnections: Counter<'end'>;
  readonly upstreamRecords: Counter<'upstream' | 'outcome'>;
  readonly upstreamLagSeconds: Gauge<'upstream'>;
  readonly upstreamWaiting: Gauge<'upstream'>;
  readonly jobSeconds: Histogram<'task' | 'outcome'>;
  readonly jobsWaiting: Gauge<'class'>;
  readonly jobsOldestSeconds: Gauge<'class'>;
  readonly videoBytes: Counter<'direction'>;
  readonly runnerRestarts: Counter;
  readonly unhandledRejections: Counter;
}

/**
 * Interval of the samples of the event loop's lag, ms; nodejs_eventloop_lag_* include it. The default of 10 ms takes
 * 0.005 of a core, a fifth of what an idle server needs.
 */
const LAG_EVERY_MS = 50;

/** The metrics of /metrics, in Prometheus' format; one registry a process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS });
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'ridewatch_http_requests_total',
      help: 'HTTP requests by endpoint and status',
      labelNames: ['method', 'path', 'status'],
      registers,
    }),
    // Without the status: a histogram has a dozen series for each set of labels.
    requestSeconds: new Histogram({
      name: 'ridewatch_http_request_seconds',
      help: 'Duration of HTTP requests by endpoint',
      labelNames: ['method', 'path'],
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
      registers,
    }),
    records: new Counter({
      name: 'ridewatch_ingest_records_total',
      help: 'Records from units by type: stored, repeated, kept aside, or why they were refused',
      labelNames: ['type', 'outcome'],
      registers,
    }),
    droppedFields: new Counter({
      name: 'ridewatch_ingest_dropped_fields_total',
      help: 'Invalid optional fields without which records were stored, by unit and field',
      labelNames: ['unit', 'field'],
      registers,
    }),
    batchSeconds: new Histogram({
      name: 'ridewatch_ingest_batch_seconds',
      help: 'Time in which a batch from a unit was stored and committed',
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
      registers,
    }),
    batchBytes: new Counter({
      name: 'ridewatch_ingest_bytes_total',
      help: 'Bytes of batches from units, as they were sent and unpacked',
      labelNames: ['form'],
      registers,
    }),
    listenersOpen: new Gauge({
      name: 'ridewatch_listener_open',
      help: 'Whether a port for units that do not speak HTTP is open, by protocol',
      labelNames: ['listener'],
      registers,
    }),
    terminalStreams: new Gauge({
      name: 'ridewatch_jt1078_streams',
      help: 'Streams of live video of JT/T 1078 that come now',
      registers,
    }),
    streamConnections: new Counter({
      name: 'ridewatch_jt1078_connections_total',
      help: 'Connections with live video of JT/T 1078 that have ended, by reason',
      labelNames: ['end'],
      registers,
    }),
    upstreamRecords: new Counter({
      name: 'ridewatch_upstream_records_total',
      help: 'Records that were passed on, by upstream: confirmed, or refused for good',
      labelNames: ['upstream', 'outcome'],
      registers,
    }),
    upstreamLagSeconds: new Gauge({
      name: 'ridewatch_upstream_lag_seconds',
      help: 'Time since the oldest record that an upstream has still to confirm was stored, or put back into its queue',
      labelNames: ['upstream'],
      registers,
    }),
    upstreamWaiting: new Gauge({
      name: 'ridewatch_upstream_waiting_records',
      help: 'Records that an upstream has still to confirm, as far as they are counted',
      labelNames: ['upstream'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'ridewatch_job_seconds',
      help: 'Duration of background jobs',
      labelNames: ['task', 'outcome'],
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 60, 300],
      registers,
    }),
    jobsWaiting: new Gauge({
      name: 'ridewatch_jobs_waiting',
      help: 'Background jobs that are due and not yet started, by class',
      labelNames: ['class'],
      registers,
    }),
    jobsOldestSeconds: new Gauge({
      name: 'ridewatch_jobs_oldest_seconds',
      help: 'How long the oldest of them has been due, by class; over 600 the class is degraded',
      labelNames: ['class'],
      registers,
    }),
    videoBytes: new Counter({
      name: 'ridewatch_video_bytes_total',
      help: 'Bytes of video received and sent',
      labelNames: ['direction'],
      registers,
    }),
    runnerRestarts: new Counter({
      name: 'ridewatch_job_runner_restarts_total',
      help: 'Runners of background jobs that ended by themselves and were started again',
      registers,
    }),
    unhandledRejections: new Counter({
      name: 'ridewatch_unhandled_rejections_total',
      help: 'Failures that nobody waited for; each is a fault of the program',
      registers,
    }),
  };
}
