import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'method' | 'path' | 'status'>;
  readonly records: Counter<'type' | 'outcome'>;
  readonly jobSeconds: Histogram<'task' | 'outcome'>;
  readonly jobsWaiting: Gauge<'task'>;
  readonly videoBytes: Counter<'direction'>;
}

/** What /metrics tells, in Prometheus' form; one registry a process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'ridewatch_http_request_seconds',
      help: 'Duration of HTTP requests by endpoint',
      labelNames: ['method', 'path', 'status'],
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
      registers,
    }),
    records: new Counter({
      name: 'ridewatch_ingest_records_total',
      help: 'Records from units: stored, repeated or refused',
      labelNames: ['type', 'outcome'],
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
      help: 'Background jobs that are due and not yet started',
      labelNames: ['task'],
      registers,
    }),
    videoBytes: new Counter({
      name: 'ridewatch_video_bytes_total',
      help: 'Bytes of video received and sent',
      labelNames: ['direction'],
      registers,
    }),
  };
}
